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

    /// Takes all descriptors that the process may have, until it is let go of.
    private final class Greed {
      private var taken: [SharedDescriptor] = []
      func take(leaving few: Int = 0) {
        while let one = try? Descriptor.open(FilePath("/dev/null"), .readOnly) {
          taken.append(SharedDescriptor(one))
        }
        taken.removeLast(few)
      }
      func giveBack() { taken = [] }
    }

    // Directories that are being read are open; that is no reason to call anything refused.
    @Test func `a large tree is watched whole with few descriptors`() async {
      await #expect(processExitsWith: .success) {
        try ResourceLimit.setDescriptors(200)
        let directory = try TemporaryDirectory()
        for outer in 0..<20 {
          let path = directory.path.appending("d\(outer)")
          try FileSystem.makeDirectory(path)
          for inner in 0..<30 { try FileSystem.makeDirectory(path.appending("\(inner)")) }
        }
        let monitor = ChangeMonitor(source: .kernel)
        let greed = Greed()
        greed.take(leaving: 8)
        _ = monitor.watch(directory.path, scope: .tree) { _ in }
        #expect(monitor.degraded.isEmpty)
        #expect(monitor.statistics.watches > 620)
        monitor.stop()
        greed.giveBack()
      }
    }

    @Test func `a process without descriptors misses nothing that happens meanwhile`() async {
      await #expect(processExitsWith: .success) {
        try ResourceLimit.setDescriptors(96)
        let directory = try TemporaryDirectory()
        try FileTree.write(into: directory.path) { Directory("old") { File("f", "old") } }
        let monitor = ChangeMonitor(source: .kernel)
        let log = EventLog()
        _ = monitor.watch(directory.path, scope: .tree) { log.add($0) }
        await monitor.settle()
        _ = log.take()

        // Dispatch wants descriptors for its timers, once.
        _ = try await never(for: .milliseconds(1)) { false }
        let greed = Greed()
        greed.take()
        // Neither needs a descriptor that stays.
        try FileSystem.makeDirectory(directory.path.appending("new"))
        try FileSystem.makeDirectory(directory.path.appending("new").appending("inner"))
        try FileSystem.rename(
          directory.path.appending("old").appending("f"),
          to: directory.path.appending("new").appending("inner").appending("f")
        )
        try await eventually("it says so") { !monitor.degraded.isEmpty }
        #expect(monitor.degraded.contains { $0.reason.contains("open files") })
        greed.giveBack()

        try await eventually("it is well again") { monitor.degraded.isEmpty }
        try File("g", "new").write(into: directory.path.appending("new").appending("inner"))
        await monitor.settle()
        let paths = Listing.paths(
          [
            directory.path.appending("old"), directory.path.appending("old").appending("f"),
          ],
          after: log.take(),
          in: directory.path
        )
        #expect(paths == Set(try Listing.of(directory.path).keys))
      }
    }

    @Test func `a monitor that cannot start says why, and starts when it can`() async {
      await #expect(processExitsWith: .success) {
        try ResourceLimit.setDescriptors(64)
        let directory = try TemporaryDirectory()
        try File("f", "old").write(into: directory.path)
        let monitor = ChangeMonitor(source: .kernel)
        let log = EventLog()
        let greed = Greed()
        greed.take()
        let first = monitor.watch(directory.path.appending("f"), scope: .item) { log.add($0) }
        #expect(monitor.failure?.contains("Too many open files") == true)
        #expect(!monitor.degraded.isEmpty)
        greed.giveBack()

        monitor.unwatch(first)
        _ = monitor.watch(directory.path.appending("f"), scope: .item) { log.add($0) }
        try File("f", "new").write(into: directory.path)
        await monitor.settle()

        #expect(monitor.failure == nil)
        #expect(log.take() == [.itemChanged])
      }
    }
  }
}
