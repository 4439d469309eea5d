import Documents
import Foundation
import LinuxSystem

/// A document of text, or a package of two files of which one changes.
// @unchecked because it is used from the main thread.
final class PeerDocument: UIDocument, @unchecked Sendable {
  var text = ""
  var isPackage = false

  override func load(fromContents contents: Any, ofType typeName: String?) throws {
    if let data = contents as? Data { text = String(decoding: data, as: UTF8.self) }
  }
  override func contents(forType typeName: String) throws -> Any {
    let data = Data(text.utf8)
    guard isPackage else { return data }
    let parts = ["text": FileWrapper(regularFileWithContents: data)]
    return FileWrapper(directoryWithFileWrappers: parts.merging(Self.constant) { $1 })
  }
  private static var constant: [String: FileWrapper] {
    ["note": FileWrapper(regularFileWithContents: Data("always".utf8))]
  }
}

/// Marks in a trace of system calls.
enum Marker {
  static func begin() { look("/marker-begin") }
  static func end() { look("/marker-end") }
  private static func look(_ path: String) {
    _ = try? FileStatus(of: FilePath(path))  // it is not there: the call itself is the mark
  }
}

/// One line on standard output, at once.
func say(_ line: String) {
  try? StandardStream.output.write(Array("\(line)\n".utf8))  // nobody may be listening
}
