import Foundation
import LinuxSystem

/// A directory of one test, removed with it.
final class Workplace: Sendable {
  let path: FilePath

  init() throws {
    path = FilePath("/tmp/fc-zip-\(UUID().uuidString.prefix(8))")
    try FileSystem.makeDirectory(path)
  }
  deinit { try? FileSystem.removeTree(path) }

  func callAsFunction(_ name: String) -> FilePath { path.appending(name) }

  func file(_ name: String, _ contents: some Collection<UInt8> = [], mode: UInt32 = 0o644) throws {
    try Self.file(self(name), contents, mode: mode)
  }

  static func file(_ path: FilePath, _ contents: some Collection<UInt8>, mode: UInt32 = 0o644)
    throws
  {
    let file = try Descriptor.open(path, [.writeOnly, .create, .truncate], mode: mode)
    try file.write(contents)
    try file.setPermissions(mode)
  }

  func directory(_ name: String, mode: UInt32 = 0o755) throws {
    try FileSystem.makeDirectory(self(name), mode: mode)
    try FileSystem.setPermissions(self(name), mode)
  }
}
