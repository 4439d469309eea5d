import DesktopFiles
import Foundation
import LinuxSystem

/// Where copies lie that other programs got, each in a directory of its own.
struct Inbox: Sendable {
  private let directory: FilePath
  /// Copies may be deleted after so many seconds.
  private static let age = 24 * 3600

  init(_ cacheHome: FilePath) {
    directory = cacheHome.appending("file-coordination").appending("inbox")
  }

  static func current() throws(SystemError) -> Inbox {
    Inbox(try DesktopDirectories.current().cacheHome)
  }

  /// A copy of a file under its own name, which only its owner may read, and nobody write.
  func copy(_ path: FilePath) throws(SystemError) -> FilePath {
    try FileSystem.makeDirectories(directory)
    removeOld()
    let place = directory.appending(UUID().uuidString)
    try FileSystem.makeDirectory(place)
    let copy = place.appending(Array(path.lastComponent ?? []))
    try FileSystem.duplicate(path, to: copy)
    if try FileStatus(of: copy).kind == .regular { try FileSystem.setPermissions(copy, 0o400) }
    return copy
  }

  private func removeOld() {
    // What cannot be removed now can the next time.
    for name in (try? FileSystem.list(directory)) ?? [] {
      let place = directory.appending(name)
      if let status = try? FileStatus(of: place),
        status.modified.seconds < Int(Date().timeIntervalSince1970) - Self.age
      {
        try? FileSystem.removeTree(place)
      }
    }
  }
}
