import FileWatching
import Foundation
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// Real mounts: what the kernel does not report, and what it reports in its own way.
  @Suite struct FileSystems {
    private static var quick: Tuning {
      var tuning = Tuning()
      tuning.shortestPoll = .milliseconds(20)
      tuning.longestPoll = .milliseconds(40)
      return tuning
    }

    @Test(.enabled(if: Mount.canServe, "needs root, /dev/fuse and bindfs"))
    func `what is changed behind a FUSE mount is found by looking`() async throws {
      let directory = try TemporaryDirectory()
      try FileTree.write(into: directory.path) {
        Directory("behind") { Directory("d") { File("f", "old") } }
        Directory("mount")
      }
      let mount = try await Mount(
        "bindfs --no-allow-other behind mount",
        at: directory.path.appending("mount"),
        in: directory
      )
      let monitor = ChangeMonitor(source: .kernel, tuning: Self.quick)
      let log = EventLog()
      _ = monitor.watch(mount.path, scope: .tree) { log.add($0) }
      try await eventually("degraded") {
        log.all.contains { "\($0)".contains("FUSE does not report") }
      }
      #expect(monitor.degraded.contains { $0.path == mount.path && $0.interval > .zero })
      _ = log.take()

      try File("behind/d/f", "newer").write(into: directory.path)
      try File("behind/d/g", "new").write(into: directory.path)
      let d = mount.path.appending("d")
      try await eventually("seen") {
        Set(log.all).isSuperset(of: [
          .subitemChanged(d.appending("f")), .subitemAppeared(d.appending("g")),
        ])
      }
      // One that is looked at between two steps of its writer may change once more.
      #expect(Set(log.all).subtracting([.subitemChanged(d.appending("g"))]).count == 2)
      _ = log.take()
      try FileSystem.rename(
        directory.path.appending("behind/d"),
        to: directory.path.appending("behind/e")
      )
      try await eventually("moved") {
        Listing.paths(
          [d, d.appending("f"), d.appending("g")],
          after: log.all,
          in: mount.path
        ) == Set(["e", "e/f", "e/g"].map { mount.path.appending($0) })
      }
      monitor.stop()
      try await mount.end()
    }

    @Test(.enabled(if: Mount.isPossible, "needs root"), arguments: Engine.allCases)
    func `an overlay reports what is done through it, copied up or not`(_ engine: Engine)
      async throws
    {
      let w = try Watcher(engine) {
        Directory("lower") { Directory("d") { File("f", "old") } }
        Directory("upper")
        Directory("work")
        Directory("mount")
      }
      let mount = try await Mount(
        "mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work mount",
        at: w.path("mount"),
        in: w.directory
      )
      w.watch("mount", .tree)
      let item = EventLog()
      w.watch("mount/d/f", into: item)
      #expect(!w.monitor.degraded.contains { $0.path == mount.path })

      // H25: the first write makes another inode.
      for command in ["echo more >>mount/d/f", "echo new >mount/t; mv mount/t mount/d/f"] {
        try await w.shell(command)
        #expect(await w.events() == [.subitemChanged(w.path("mount/d/f"))], "\(command)")
        #expect(item.take() == [.itemChanged], "\(command)")
      }
      try await w.shell("mkdir mount/d/e; echo x >mount/d/e/g")
      #expect(
        await w.events() == [
          .subitemAppeared(w.path("mount/d/e")), .subitemAppeared(w.path("mount/d/e/g")),
        ]
      )
      try await w.shell("rm -r mount/d")
      #expect(
        Listing.paths(
          Set(["d", "d/f", "d/e", "d/e/g"].map { w.path("mount/" + $0) }),
          after: await w.events(),
          in: mount.path
        ).isEmpty
      )
      #expect(item.take() == [.itemDeleted])
      // A descriptor on the watched item itself keeps its file system busy.
      w.unwatch()
      await w.settle()
      try await mount.end()
    }

    @Test(.enabled(if: Mount.canServe, "needs root, /dev/fuse and bindfs"))
    func `an overlay over a FUSE mount is looked at`() async throws {
      let directory = try TemporaryDirectory()
      try await directory.shell("mkdir behind lower upper work mount; echo old >behind/f")
      let lower = try await Mount(
        "bindfs --no-allow-other behind lower",
        at: directory.path.appending("lower"),
        in: directory
      )
      let mount = try await Mount(
        // An absolute path, as most have: it is looked for by that.
        "mount -t overlay overlay -o lowerdir=$PWD/lower,upperdir=upper,workdir=work mount",
        at: directory.path.appending("mount"),
        in: directory
      )
      let monitor = ChangeMonitor(source: .kernel, tuning: Self.quick)
      _ = monitor.watch(mount.path, scope: .tree) { _ in }
      try await eventually("degraded") {
        monitor.degraded.contains { $0.path == mount.path && $0.reason.contains("overlay") }
      }
      monitor.stop()
      try await mount.end()
      try await lower.end()
    }

    @Test(.enabled(if: Mount.isPossible, "needs root"), arguments: Engine.allCases)
    func `mount points in a tree are part of it`(_ engine: Engine) async throws {
      let w = try Watcher(engine) {
        Directory("t") {
          Directory("bound")
          Directory("memory") { File("under") }
        }
        Directory("elsewhere") { File("f", "old") }
      }
      let bound = try await Mount(
        "mount --bind elsewhere t/bound",
        at: w.path("t/bound"),
        in: w.directory
      )
      let memory = try await Mount(
        "mount -t tmpfs none t/memory",
        at: w.path("t/memory"),
        in: w.directory
      )
      w.watch("t", .tree)
      try await w.shell("echo more >>elsewhere/f; echo new >t/memory/g")
      #expect(
        Set(await w.events()) == [
          .subitemChanged(w.path("t/bound/f")), .subitemAppeared(w.path("t/memory/g")),
        ]
      )
      // The watches keep nothing busy.
      try await memory.end()
      let events = await w.events()
      #expect(events.contains(.subitemDeleted(w.path("t/memory/g"))), "\(events)")
      #expect(events.contains(.subitemAppeared(w.path("t/memory/under"))), "\(events)")
      try await w.shell("echo more >>t/memory/under")
      #expect(await w.events() == [.subitemChanged(w.path("t/memory/under"))])
      try await bound.end()
    }

    @Test func `the kernel's own files are looked at`() async throws {
      let monitor = ChangeMonitor(source: .kernel, tuning: Self.quick)
      let log = EventLog()
      _ = monitor.watch(FilePath("/proc/self/oom_score_adj"), scope: .item) { log.add($0) }
      try await eventually("degraded") {
        log.all.contains { "\($0)".contains("does not report what the kernel changes") }
      }
      monitor.stop()
    }
  }
}

/// A file system that is mounted for one test.
final class Mount: Sendable {
  let path: FilePath
  private let directory: TemporaryDirectory

  /// Whether this process may mount at all: root in many containers may not.
  static let isPossible: Bool = {
    guard Environment.user == 0 else { return false }
    // A program that is not there cannot say yes.
    return (try? ChildProcess(FilePath("/usr/bin/unshare"), ["-m", "true"]).wait()) == .exited(0)
  }()
  static var canServe: Bool {
    isPossible && FileManager.default.fileExists(atPath: "/dev/fuse")
      && FileManager.default.isExecutableFile(atPath: "/usr/bin/bindfs")
  }

  /// Mounts it with a command that runs in `directory`.
  init(_ command: String, at path: FilePath, in directory: TemporaryDirectory) async throws {
    self.path = path
    self.directory = directory
    try await directory.shell(command)
  }

  deinit {
    // After a failed test: whoever still uses it loses it.
    _ = try? ChildProcess(FilePath("/bin/umount"), ["-l", path.description]).wait()
  }

  /// Unmounts it; fails if anybody keeps it busy.
  func end() async throws { try await directory.shell("umount \(path)") }
}

extension TemporaryDirectory {
  /// Runs a shell script in it.
  func shell(_ script: String) async throws {
    let end = try await onThread { [path] () throws(SystemError) in
      try ChildProcess(FilePath("/bin/sh"), ["-ec", "cd \(path) && exec >/dev/null\n\(script)"])
        .wait()
    }
    #expect(end == .exited(0), "\(script)")
  }
}
