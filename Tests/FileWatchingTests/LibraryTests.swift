#if InotifyTools
import FileWatching
import InotifyTools
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// What goes wrong with libinotifytools in a host, each in a process of its own.
  ///
  /// The numbers are those in ``InotifyTools``.
  @Suite struct Library {
    // 1: one owner at a time, and the next begins with an empty queue (13). Reading more records than
    // there are ends at once (6).
    @Test func `a second owner is refused until the first is gone`() async {
      await #expect(processExitsWith: .success) {
        let directory = try TemporaryDirectory()
        for round in 0..<3 {
          guard var library = try InotifyTools() else {
            Issue.record("refused in round \(round)")
            return
          }
          #expect(try InotifyTools() == nil)
          let name = directory.path.appending("d\(round)")
          try FileSystem.makeDirectory(name)
          let open = try Descriptor.open(name, [.readOnly, .directory])
          let watch = try library.add(open.number, isDirectory: true, .created)
          for file in ["a", "b", "c"] { try File(file).write(into: name) }
          var records: [InotifyRecord] = []
          // Two are left in the library's buffer for the next owner to stumble over.
          library.read(into: &records, limit: round == 0 ? 2 : 4)
          #expect(records.filter { $0.watch == watch }.count >= 1)
          #expect(records.allSatisfy { $0.watch != watch || $0.mask == .created })
        }
      }
    }

    // 3: descriptors above 1023.
    @Test func `high descriptor numbers lead to the kernel's interface`() async {
      await #expect(processExitsWith: .success) {
        try ResourceLimit.setDescriptors(4096)
        let many = try (0..<1100).map { _ in
          SharedDescriptor(try .open(FilePath("/dev/null"), .readOnly))
        }
        let directory = try TemporaryDirectory()
        try File("f", "old").write(into: directory.path)
        let monitor = ChangeMonitor()
        let log = EventLog()
        _ = monitor.watch(directory.path.appending("f"), scope: .item) { log.add($0) }
        try File("f", "new").write(into: directory.path)
        await monitor.settle()
        #expect(log.take() == [.itemChanged])
        #expect(monitor.degraded.isEmpty)
        #expect(many.count == 1100)
      }
    }

    // 4: programs that are started do not inherit the instance.
    @Test func `no program inherits the instance`() async {
      await #expect(processExitsWith: .success) {
        let directory = try TemporaryDirectory()
        let monitor = ChangeMonitor.shared
        _ = monitor.watch(directory.path, scope: .tree) { _ in }
        let end = try ChildProcess(
          FilePath("/bin/sh"),
          [
            "-c",
            "! ls -l /proc/self/fd | grep -q inotify && ls -l /proc/$PPID/fd | grep -q inotify",
          ]
        ).wait()
        #expect(end == .exited(0))
      }
    }

    // 5: a forked child does not eat the parent's records.
    @Test func `a forked child has no part in the instance`() async {
      await #expect(processExitsWith: .success) {
        let directory = try TemporaryDirectory()
        try File("f", "old").write(into: directory.path)
        let path = directory.path.appending("f")
        let log = EventLog()
        _ = ChangeMonitor.shared.watch(path, scope: .item) { log.add($0) }
        // The child does nothing at all: whatever lock it touched might be held for ever. We look at it
        // from here.
        let child = try ForkedChild.start { while true { ForkedChild.pause() } }
        let folder = FilePath("/proc/\(child)/fd")
        let instance = FilePath("anon_inode:inotify")
        let limit = MonotonicInstant.now + .seconds(20)
        var targets = [instance]
        while targets.contains(instance), MonotonicInstant.now < limit {
          targets = try FileSystem.list(folder).compactMap { name in
            // A descriptor may be gone by the time it is looked at.
            try? FileSystem.readLink(folder.appending(name))
          }
          ForkedChild.pause()
        }
        #expect(!targets.isEmpty)
        #expect(!targets.contains(instance))
        try Descriptor.open(path, [.writeOnly, .append]).write([1])
        Signal.kill.send(to: child)
        #expect(ForkedChild.wait(for: child) == -9)
        await ChangeMonitor.shared.settle()
        #expect(log.take() == [.itemChanged])
      }
    }

    @Test func `a forked child watches by itself`() async {
      await #expect(processExitsWith: .success) {
        let directory = try TemporaryDirectory()
        try File("f", "old").write(into: directory.path)
        let path = directory.path.appending("f")
        let log = EventLog()
        _ = ChangeMonitor.shared.watch(path, scope: .item) { log.add($0) }
        // The parent's monitor has done everything once and sleeps: while it does something for the
        // first time it holds locks of Swift's runtime, which a child would find held for ever. Seen
        // twice, because the first answer comes from the midst of the first round.
        await ChangeMonitor.shared.settle()
        await ChangeMonitor.shared.settle()

        let child = try ForkedChild.start {
          let heard = EventLog()
          _ = ChangeMonitor.shared.watch(path, scope: .item) { heard.add($0) }
          // What cannot be written is not heard of.
          try? Descriptor.open(path, [.writeOnly, .append]).write([1])
          for _ in 0..<5_000 {
            if heard.take() == [.itemChanged] { return 0 }
            ForkedChild.pause()
          }
          return 1
        }

        #expect(ForkedChild.wait(for: child) == 0)
        await ChangeMonitor.shared.settle()
        #expect(log.take() == [.itemChanged])
      }
    }

    // 9, 10, 11, 14: deleted directories, paths made again, one object twice; nothing is printed.
    @Test func `nothing is kept of watches that ended, and nothing is printed`() async throws {
      let result = await #expect(
        processExitsWith: .success,
        observing: [\.standardErrorContent]
      ) {
        let directory = try TemporaryDirectory(in: FilePath("/dev/shm"))
        let monitor = ChangeMonitor.shared
        let log = EventLog()
        let root = monitor.watch(directory.path, scope: .tree) { log.add($0) }
        await monitor.settle()
        let before = InotifyTools.watchesOnRecord
        for round in 0..<500 {
          let path = directory.path.appending("d")
          try FileSystem.makeDirectory(path)
          let first = monitor.watch(path, scope: .tree) { _ in }
          let second = monitor.watch(path, scope: .item) { _ in }
          if round % 3 == 0 { monitor.unwatch(first) }
          try FileSystem.removeDirectory(path)
          monitor.unwatch(second)
          monitor.unwatch(first)
        }
        await monitor.settle()
        #expect(InotifyTools.watchesOnRecord <= before + 1)
        // The same path is watched anew and answers.
        try FileSystem.makeDirectory(directory.path.appending("d"))
        await monitor.settle()
        _ = log.take()
        try File("d/f").write(into: directory.path)
        await monitor.settle()
        #expect(log.take() == [.subitemAppeared(directory.path.appending("d/f"))])
        monitor.unwatch(root)
      }
      #expect(result?.standardErrorContent.isEmpty == true)
    }

    // 2: a host with a global of one of the names that the library exports.
    @Test func `a host that owns one of the library's names gets the kernel's interface`()
      async throws
    {
      let directory = try TemporaryDirectory()
      try File("f", "old").write(into: directory.path)
      let peer = try WatchingPeer([directory.path.appending("f")], name: "clashing-peer")
      try await peer.says("watching")
      try File("f", "new").write(into: directory.path)
      try await peer.says("changed \(directory.path)/f")
      #expect(!peer.text.contains("degraded"))
    }

    // 12: what the library has on record of a directory's path is never used.
    @Test func `directories that change names go on under the true ones`() async throws {
      let w = try Watcher(.library) { Directory("a") { Directory("b") {} } }
      w.watch("", .tree)
      try await w.shell("mv a c; mkdir a; mv c/b a/d; mv a e; mv c a")
      _ = await w.events()
      try await w.shell("echo x >e/d/f; echo x >a/g")
      #expect(
        Set(await w.events()) == [
          .subitemAppeared(w.path("e/d/f")), .subitemAppeared(w.path("a/g")),
        ]
      )
    }

    // 6: waiting costs nothing.
    @Test func `an idle monitor uses no processor time`() async {
      await #expect(processExitsWith: .success) {
        let directory = try TemporaryDirectory()
        try FileSystem.makeDirectory(directory.path.appending("d"))
        let monitor = ChangeMonitor.shared
        // Not in /tmp itself, where others are busy.
        _ = monitor.watch(directory.path.appending("d"), scope: .tree) { _ in }
        await monitor.settle()
        // It was awake a moment ago.
        #expect(try await never { false })
        let before = try Switches.ofThreads(named: "file-watching")
        #expect(try await never(for: .milliseconds(500)) { false })
        #expect(try Switches.ofThreads(named: "file-watching") == before)
      }
    }
  }
}

/// How often threads of this process were switched to.
private enum Switches {
  static func ofThreads(named name: String) throws -> Int {
    var count = 0
    for task in try FileSystem.list(FilePath("/proc/self/task")) {
      let directory = FilePath("/proc/self/task").appending(task)
      let comm = try Descriptor.open(directory.appending("comm"), .readOnly).readToEnd()
      guard String(decoding: comm, as: UTF8.self) == name + "\n" else { continue }
      let status = try Descriptor.open(directory.appending("status"), .readOnly).readToEnd()
      for line in String(decoding: status, as: UTF8.self).split(separator: "\n")
      where line.contains("ctxt_switches") {
        count += Int(line.split(separator: "\t").last ?? "") ?? 0
      }
    }
    return count
  }
}
#endif
