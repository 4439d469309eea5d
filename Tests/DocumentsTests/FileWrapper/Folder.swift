import Documents
import FileCoordination
import Foundation
import LinuxSystem
import TestSupport

/// A directory of one test, with what the tests of wrappers ask about files.
final class Folder: Sendable {
  let directory: TemporaryDirectory
  init(@FileTreeBuilder _ items: () -> [any FileTreeItem] = { [] }) throws {
    directory = try TemporaryDirectory()
    try FileTree.write(into: directory.path, items)
  }

  func path(_ name: String) -> FilePath {
    name.split(separator: "/").reduce(directory.path) { $0.appending(String($1)) }
  }
  func url(_ name: String) -> URL { path(name).url() }
  func status(_ name: String) throws -> FileStatus { try FileStatus(of: path(name)) }
  func text(_ name: String) throws -> String {
    String(decoding: try Descriptor.open(path(name), .readOnly).readToEnd(), as: UTF8.self)
  }
  func list(_ name: String = "") throws -> [String] {
    try FileSystem.list(path(name)).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }
  func exists(_ name: String) -> Bool {
    // Whatever the reason, it is not there for the test.
    (try? status(name)) != nil
  }

  /// Replaces a file as a program does that saves by renaming.
  func replace(_ name: String, _ text: String) throws {
    try File("\(name).new", text).write(into: directory.path)
    try FileSystem.rename(path("\(name).new"), to: path(name))
  }

  /// Writes into a file that is there.
  func overwrite(_ name: String, _ text: String) throws {
    try Descriptor.open(path(name), [.writeOnly, .truncate]).write(Array(text.utf8))
  }
}

extension FileWrapper {
  var text: String? { regularFileContents.map { String(decoding: $0, as: UTF8.self) } }
  subscript(_ key: String) -> FileWrapper? { fileWrappers?[key] }
}

func cocoaCode(_ body: () throws -> Void) -> Int? {
  do { try body() } catch let error as CocoaError { return error.code.rawValue } catch { return -1 }
  return nil
}
