import Foundation
import LinuxSystem
import TestSupport

/// A directory in which another file system is mounted for as long as the value lives.
final class MountedFolder: Sendable {
  /// What is mounted, by a shell in the directory, at `mount`.
  enum Kind: String, CaseIterable, Sendable {
    case tmpfs = "mount -t tmpfs tmpfs mount"
    /// Of 1 MiB.
    case small = "mount -t tmpfs -o size=1m tmpfs mount"
    case overlay = """
      mkdir lower upper work
      mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work mount
      """
    case fuse = "mkdir behind; bindfs --no-allow-other behind mount"
    /// Inodes of 128 bytes have no room for fractions of a second.
    case seconds = """
      dd if=/dev/zero of=image bs=1M count=4 2>/dev/null
      /sbin/mkfs.ext4 -q -I 128 image 2>/dev/null
      mount -o loop image mount
      """
  }
  let folder: Folder
  var path: FilePath { folder.path("mount") }

  init(_ kind: Kind) throws {
    folder = try Folder { Directory("mount") }
    guard Self.shell("set -e; \(kind.rawValue)", in: folder.directory.path) else {
      throw NotInTime("cannot mount \(kind)")
    }
  }

  deinit {
    _ = Self.shell("umount -l mount || fusermount3 -uz mount", in: folder.directory.path)
  }

  static func isPossible(_ kind: Kind) -> Bool {
    guard let trial = try? MountedFolder(kind) else { return false }
    withExtendedLifetime(trial) {}
    return true
  }

  private static func shell(_ script: String, in directory: FilePath) -> Bool {
    let child = try? ChildProcess(
      FilePath("/bin/sh"),
      ["-c", "exec >/dev/null 2>&1; cd \"$1\" || exit 1; \(script)", "sh", directory.description]
    )
    return child?.wait() == .exited(0)
  }
}
