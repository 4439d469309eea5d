import Documents
import Foundation
import Testing

/// Wrong use of wrappers stops the program, and says what was wrong.
@Suite(.timeLimit(.minutes(3)))
struct WrapperMisuseTests {
  private func says(_ result: ExitTest.Result?, _ sentence: String) -> Bool {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(sentence)
  }

  @Test func `statement 47: a child without a preferred name`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let folder = FileWrapper(directoryWithFileWrappers: [:])
      folder.addFileWrapper(FileWrapper(regularFileWithContents: Data()))
    }
    #expect(says(result, "addFileWrapper(_:) needs a child with a preferredFilename"))
  }

  @Test func `statement 47: a child of a regular file`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let child = FileWrapper(regularFileWithContents: Data())
      child.preferredFilename = "a"
      FileWrapper(regularFileWithContents: Data()).addFileWrapper(child)
    }
    #expect(says(result, "addFileWrapper(_:)"))
  }
}
