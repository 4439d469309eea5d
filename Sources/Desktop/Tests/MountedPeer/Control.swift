import Foundation

struct Control: Sendable {
  let directory: URL

  func log(_ line: String) {
    let path = directory.appending(path: "log").path
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    guard let file = FileHandle(forUpdatingAtPath: path) else { return }
    do {
      try file.seekToEnd()
      try file.write(contentsOf: Data((line + "\n").utf8))
    } catch { FileHandle.standardError.write(Data("\(error)\n".utf8)) }
  }

  /// How the delivery of an item goes: by its own file, or that for all.
  func way(_ name: String) -> String {
    for file in ["start-\(name)", "start"] {
      if let text = try? String(contentsOf: directory.appending(path: file), encoding: .utf8) {
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
      }
    }
    return "ok"
  }

  func content(_ name: String) -> URL {
    directory.appending(path: "contents").appending(path: name)
  }
}
