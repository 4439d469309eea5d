import FileCoordination
import Foundation
import LinuxSystem

/// The directory of a process for copies: named after the program and the process.
enum ImportDirectory {
  private static let prefix = "picker-"

  /// Makes a new one, and removes those whose processes are gone.
  static func make() throws(SystemError) -> FilePath {
    let base = try place()
    sweep(base)
    let own = ProcessIdentity.current
    return try FileSystem.makeUniqueDirectory(
      in: base,
      prefix: "\(prefix)\(own.pid)-\(own.started)-"
    )
  }

  private static func place() throws(SystemError) -> FilePath {
    let name = FileScope.applicationIdentifier.utf8.map { byte in
      byte == .slash || byte == 0 ? UInt8(ascii: "_") : byte
    }
    let user = Environment.user
    if let runtime = Environment.value(of: "XDG_RUNTIME_DIR"), runtime.isAbsolute,
      let status = try? FileStatus(of: runtime), status.kind == .directory, status.owner == user
    {
      let base = runtime.appending(Array("document-picker-".utf8) + name)
      try FileSystem.makeDirectories(base)
      return base
    }
    let base = FilePath("/tmp").appending(Array("document-picker-\(user)-".utf8) + name)
    try FileSystem.makeDirectories(base)
    let status = try FileStatus(of: base)
    guard status.kind == .directory, status.owner == user, status.permissions & 0o077 == 0 else {
      throw SystemError("mkdir", .notPermitted).about(base)
    }
    return base
  }

  private static func sweep(_ base: FilePath) {
    // What cannot be listed or removed now is tried again by the next.
    for name in (try? FileSystem.list(base)) ?? [] {
      let parts = String(decoding: name, as: UTF8.self).dropFirst(prefix.count)
        .split(separator: "-")
      guard parts.count >= 2, let pid = Int32(parts[0]), let start = UInt64(parts[1]),
        ProcessIdentity(of: pid)?.started != start
      else { continue }
      try? FileSystem.removeTree(base.appending(name))
    }
  }
}
