import Documents
import FileCoordination
import Foundation
import LinuxSystem

/// Does what it is told with files, and says what came of it.
enum Worker {
  static func run() {
    say("ready \(FileScope.isConfined)")
    Lines.each { word, rest in
      do { say(try await answer(word, rest)) } catch { say("\(word): failed \(error)") }
    }
  }

  private static func answer(_ word: String, _ rest: String) async throws -> String {
    let url = URL(fileURLWithPath: rest)
    switch word {
    case "read":
      do throws(SystemError) {
        let bytes = try Descriptor.open(FilePath(rest), .readOnly).readToEnd()
        return "read: \(String(decoding: bytes, as: UTF8.self))"
      } catch { return "read: \(error.reason)" }
    case "write":
      let (path, text) = cut(rest)
      do throws(SystemError) {
        try Descriptor.open(FilePath(path), [.writeOnly, .create]).write(Array(text.utf8))
        return "write: done"
      } catch { return "write: \(error.reason)" }
    case "list":
      do throws(SystemError) {
        return "list: \(try FileSystem.list(FilePath(rest)).count)"
      } catch { return "list: \(error.reason)" }
    case "choose":
      let urls = try await FileScope.requestDocuments(.init())
      return "choose: \(urls.map(\.path).joined(separator: " "))"
    case "start": return "start: \(url.startAccessingSecurityScopedResource())"
    case "stop":
      url.stopAccessingSecurityScopedResource()
      return "stop: done"
    case "open":
      let handle = try FileScope.open(url)
      return "open: \(String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self))"
    case "open-writing":
      let (path, text) = cut(rest)
      let handle = try FileScope.open(URL(fileURLWithPath: path), forWriting: true)
      try handle.write(contentsOf: Data(text.utf8))
      return "open-writing: done"
    case "save":
      let (path, text) = cut(rest)
      return "save: \(await save(URL(fileURLWithPath: path), text))"
    case "document": return "document: \(await load(url))"
    case "bookmark":
      try url.bookmarkData(options: .withSecurityScope).write(to: note)
      return "bookmark: done"
    case "resolve":
      var isStale = false
      let found = try URL(
        resolvingBookmarkData: Data(contentsOf: note),
        options: .withSecurityScope,
        bookmarkDataIsStale: &isStale
      )
      return "resolve: \(found.path) \(isStale)"
    case "hold":
      // Until the pipe of this name in the container is written to.
      let (path, signal) = cut(rest)
      try NSFileCoordinator().coordinate(
        writingItemAt: URL(fileURLWithPath: path),
        options: []
      ) { _ in
        say("holding")
        // Blocks until somebody opens it for writing.
        _ = try SharedDescriptor(Descriptor.open(FilePath(signal), .readOnly)).number
      }
      return "hold: done"
    case "claim":
      var path = ""
      try NSFileCoordinator().coordinate(writingItemAt: url, options: []) { path = $0.path }
      return "claim: \(path)"
    default: return "what? \(word)"
    }
  }

  private static var note: URL {
    // NSHomeDirectory() asks the user database, not HOME.
    URL(fileURLWithPath: "\(Environment.value(of: "HOME") ?? FilePath("/"))/bookmark")
  }

  private static func cut(_ text: String) -> (String, String) {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
  }

  @MainActor private static func load(_ url: URL) async -> String {
    let document = TextFile(fileURL: url)
    guard await document.open() else { return "not opened" }
    let text = document.text
    await document.close()
    return text
  }

  @MainActor private static func save(_ url: URL, _ text: String) async -> String {
    let document = TextFile(fileURL: url)
    guard await document.open() else { return "not opened \(String(describing: document.failure))" }
    document.text = text
    document.updateChangeCount(.done)
    let isSaved = await document.save(to: url, for: .forOverwriting)
    let failure = document.failure
    await document.close()
    return isSaved ? "saved" : "not saved \(String(describing: failure))"
  }
}

/// A document of text.
// @unchecked because it is used from the main thread.
final class TextFile: UIDocument, @unchecked Sendable {
  var text = ""
  var failure: (any Error)?
  override func load(fromContents contents: Any, ofType typeName: String?) throws {
    if let data = contents as? Data { text = String(decoding: data, as: UTF8.self) }
  }
  override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
  override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
    failure = error
    super.handleError(error, userInteractionPermitted: userInteractionPermitted)
  }
}
