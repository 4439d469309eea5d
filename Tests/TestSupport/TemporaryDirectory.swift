package import LinuxSystem

/// A new directory with a short path, removed with all that is in it when the value ends.
///
/// Short because the path of a Unix socket may have 107 bytes.
package final class TemporaryDirectory: Sendable {
  package let path: FilePath

  /// Makes the directory; peers of other users need more permission bits than the usual 0700.
  package init(mode: UInt32 = 0o700, in base: FilePath = FilePath("/tmp")) throws {
    let made = base.appending("fc-\(Self.randomName())")
    try FileSystem.makeDirectory(made, mode: mode)
    // The umask may have taken bits.
    try FileSystem.setPermissions(made, mode)
    path = made
  }

  deinit {
    // What a test made unremovable stays behind in /tmp; that must not fail the test.
    try? FileSystem.removeTree(path)
  }

  private static func randomName() -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<8).map { _ in letters[Int.random(in: 0..<letters.count)] })
  }
}
