import FileWatching
import Foundation
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// Real limits of the system, in a process of its own.
  @Suite struct Limits {
    /// User namespaces have limits of their own, which their root may lower.
    private static let canLimit: Bool = {
      // A program that is not there cannot say yes.
      let end = try? ChildProcess(
        FilePath("/usr/bin/unshare"),
        ["-Ur", "sh", "-c", "echo 9 >/proc/sys/user/max_inotify_watches"]
      ).wait()
      return end == .exited(0)
    }()

    // H10
    @Test(.enabled(if: canLimit, "needs user namespaces"))
    func `too few watches are polled, and the reason names the limit`() async throws {
      let directory = try TemporaryDirectory()
      try await directory.shell("for i in $(seq 30); do mkdir d$i; echo old >d$i/f; done")
      let peer = try WatchingPeer(
        [directory.path],
        script:
          #"exec unshare -Ur sh -c 'echo 9 >/proc/sys/user/max_inotify_watches; exec "$0" "$@"' "$0" "$@""#
      )
      try await peer.says("watching")
      try await peer.says("degraded the user has no inotify watch left")
      #expect(peer.text.contains("polled \(directory.path)/d"))
      #expect(peer.text.contains("max_user_watches"))

      try await directory.shell("for i in $(seq 30); do echo more >>d$i/f; done; mkdir new")
      for number in 1...30 { try await peer.says("changed \(directory.path)/d\(number)/f") }
      try await peer.says("appeared \(directory.path)/new")
    }

    // H11
    @Test(.enabled(if: canLimit, "needs user namespaces"))
    func `without an instance everything is polled, and the reason names the limit`() async throws {
      let directory = try TemporaryDirectory()
      try await directory.shell("mkdir d; echo old >d/f")
      let peer = try WatchingPeer(
        [directory.path],
        script:
          #"exec unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_inotify_instances; exec "$0" "$@"' "$0" "$@""#
      )
      try await peer.says("watching")
      try await peer.says("degraded no inotify instance could be had")
      try await directory.shell("echo more >>d/f; mv d e")
      try await peer.says("moved \(directory.path)/d \(directory.path)/e")
      try await directory.shell("echo more >>e/f")
      try await peer.says("changed \(directory.path)/e/f")
    }

    @Test(.enabled(if: Environment.user == 0, "two users need root"))
    func `a directory that may not be read is left out until it may`() async throws {
      let directory = try TemporaryDirectory(mode: 0o755)
      try await directory.shell(
        "mkdir -p open closed/in; echo old >open/f; echo old >closed/in/g; chmod 700 closed"
      )
      let peer = try WatchingPeer(
        [directory.path],
        script:
          #"cp "$0" "$1.peer"; chmod 755 "$1.peer"; exec setpriv --reuid=65534 --regid=65534 --clear-groups "$1.peer" "$@""#
      )
      defer {
        // Beside the directory, so that it is not reported.
        try? FileSystem.removeFile(FilePath("\(directory.path).peer"))
      }
      try await peer.says("watching")
      try await directory.shell("echo more >>closed/in/g; echo more >>open/f")
      try await peer.says("changed \(directory.path)/open/f")
      #expect(!peer.text.contains("closed"))

      try await directory.shell("chmod 755 closed")
      try await peer.says("appeared \(directory.path)/closed/in/g")
      try await directory.shell("echo more >>closed/in/g")
      try await peer.says("changed \(directory.path)/closed/in/g")
    }
  }
}
