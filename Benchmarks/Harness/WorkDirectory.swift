import Foundation
import LinuxSystem
import Synchronization

/// A directory of its own for one run, removed when the value ends.
package final class WorkDirectory: Sendable {
  /// Where it is, without links.
  package let path: String
  /// The directory whose items are six levels deep: `/1/2/3/4/5/item`.
  package let itemDirectory: String
  /// The type of its file system.
  package let fileSystem: String

  private static let made = Atomic<Int>(0)

  /// How many components the path of an item has, at least.
  package static let depth = 6

  /// Makes one inside `base`; without a base in /dev/shm where that is (as /run/user it is in memory),
  /// else in the temporary directory.
  package init(in base: String? = nil) throws {
    let base = base ?? Self.standardBase
    let serial = Self.made.add(1, ordering: .relaxed).newValue
    let name = "fcb-\(ProcessInfo.processInfo.processIdentifier)-\(serial)"
    path = URL(filePath: base).resolvingSymlinksInPath().appending(path: name).path
    var directory = path
    var level = 1
    while directory.split(separator: "/").count < Self.depth - 1 {
      directory += "/level\(level)"
      level += 1
    }
    itemDirectory = directory
    fileSystem = Machine.fileSystem(of: path)
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  /// Removes it now: for who ends the process by a call.
  package func remove() throws { try FileSystem.removeTree(FilePath(path)) }

  deinit {
    // Best effort: what stays behind lies in a temporary place.
    try? remove()
  }

  /// Makes an empty directory beside the items and returns its path.
  package func makeDirectory(_ name: String) throws -> String {
    let directory = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    return directory
  }

  private static var standardBase: String {
    FileManager.default.isWritableFile(atPath: "/dev/shm")
      ? "/dev/shm" : FileManager.default.temporaryDirectory.path
  }
}
