import Documents
import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Saves on a real file system of 1 MiB (J04); needs the right to mount.
@MainActor
@Suite(
  .timeLimit(.minutes(3)),
  .serialized,
  .enabled(if: MountedFolder.isPossible(.small), "mounting is not permitted here")
)
struct FullDiskTests {
  init() { DocumentWorld.enter() }

  @Test func `a full disk fails the save, keeps the old text, and the next one works`()
    async throws
  {
    let small = try MountedFolder(.small)
    let url = small.path.appending("a.txt").url()
    let old = String(repeating: "o", count: 512 << 10)
    let document = TextDocument(url)
    document.text = old
    #expect(await document.save(to: url, for: .forCreating))
    document.edit(String(repeating: "n", count: 2 << 20))
    #expect(await !document.autosave())
    #expect(document.seen.errors.map(\.code) == [640])
    #expect(document.documentState.contains(.savingError))
    #expect(document.hasUnsavedChanges)
    #expect(try String(contentsOf: url, encoding: .utf8) == old)
    #expect(try FileSystem.list(small.path).count == 1)
    document.edit("short")
    #expect(await document.close())
    #expect(try String(contentsOf: url, encoding: .utf8) == "short")
  }

  @Test func `a package that does not fit leaves the old one`() throws {
    let small = try MountedFolder(.small)
    let url = small.path.appending("p.rtfd").url()
    let tree = { (count: Int) in
      FileWrapper(directoryWithFileWrappers: [
        "text": FileWrapper(regularFileWithContents: Data(count: count))
      ])
    }
    try SafeSave(url).write { new, _ in try tree(1000).write(to: new, originalContentsURL: nil) }
    let error = #expect(throws: NSError.self) {
      try SafeSave(url).write { new, old in
        try tree(2 << 20).write(to: new, originalContentsURL: old)
      }
    }
    #expect(error?.code == 640)
    #expect(try FileSystem.list(small.path).count == 1)
    #expect(try Data(contentsOf: url.appending(path: "text")).count == 1000)
  }
}
