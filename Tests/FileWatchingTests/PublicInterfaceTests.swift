import FileWatching
import Foundation
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// What clients of the product use.
  @Suite struct PublicInterface {
    private func url(_ path: FilePath, _ name: String = "") -> URL {
      URL(filePath: path.description + (name.isEmpty ? "" : "/" + name))
    }

    @Test func `a watcher calls with typed changes until it is stopped`() async throws {
      let directory = try TemporaryDirectory(in: FilePath("/dev/shm"))
      let log = ChangeLog()
      let watcher = try FileWatcher(url(directory.path)) { log.add($0) }

      try File("f", "1").write(into: directory.path)
      try await eventually("appeared") { log.all == [.appeared(self.url(directory.path, "f"))] }
      try FileSystem.rename(directory.path.appending("f"), to: directory.path.appending("g"))
      try await eventually("moved") {
        log.all.last
          == .moved(from: self.url(directory.path, "f"), to: self.url(directory.path, "g"))
      }

      watcher.stop()
      try FileSystem.removeFile(directory.path.appending("g"))
      await ChangeMonitor.shared.settle()
      #expect(log.all.count == 2)
    }

    @Test func `a sequence gives each change to a reader that waits`() async throws {
      let directory = try TemporaryDirectory(in: FilePath("/dev/shm"))
      try File("f", "old").write(into: directory.path)
      var changes = try await FileChanges(of: url(directory.path, "f")).makeAsyncIterator()
      for round in 0..<5 {
        try File("f", "round \(round)").write(into: directory.path)
        #expect(await changes.next() == .changed(url(directory.path, "f")))
      }
    }

    @Test func `a slow reader gets the last state of each item once`() async throws {
      let directory = try TemporaryDirectory(in: FilePath("/dev/shm"))
      try File("f", "old").write(into: directory.path)
      try File("gone", "old").write(into: directory.path)
      let sequence = try await FileChanges(of: url(directory.path))

      for round in 0..<10 {
        try File("f", "round \(round)").write(into: directory.path)
        try File("new", "round \(round)").write(into: directory.path)
        try File("short").write(into: directory.path)
        await ChangeMonitor.shared.settle()
        try FileSystem.removeFile(directory.path.appending("short"))
        await ChangeMonitor.shared.settle()
      }
      try FileSystem.removeFile(directory.path.appending("gone"))
      await ChangeMonitor.shared.settle()
      try File("marker").write(into: directory.path)

      var read: [FileChange] = []
      for await change in sequence {
        if change == .appeared(url(directory.path, "marker")) { break }
        read.append(change)
      }
      #expect(
        Set(read) == [
          .changed(url(directory.path, "f")), .appeared(url(directory.path, "new")),
          .deleted(url(directory.path, "gone")),
        ]
      )
      #expect(read.count == 3)
    }

    @Test func `a reader that falls behind its limit is told to look at everything`() async throws {
      let directory = try TemporaryDirectory(in: FilePath("/dev/shm"))
      let sequence = try await FileChanges(of: url(directory.path), limit: 10)
      for number in 0..<50 { try File("f\(number)").write(into: directory.path) }
      await ChangeMonitor.shared.settle()

      var changes = sequence.makeAsyncIterator()
      #expect(await changes.next() == .overlooked(url(directory.path)))
      try File("after").write(into: directory.path)
      #expect(await changes.next() == .appeared(url(directory.path, "after")))
    }

    @Test func `moves of one item in a row are one, and nothing is merged across them`()
      async throws
    {
      let directory = try TemporaryDirectory(in: FilePath("/dev/shm"))
      try File("a", "old").write(into: directory.path)
      let sequence = try await FileChanges(of: url(directory.path))
      try File("a", "newer").write(into: directory.path)
      await ChangeMonitor.shared.settle()
      for (from, to) in [("a", "b"), ("b", "c")] {
        try FileSystem.rename(directory.path.appending(from), to: directory.path.appending(to))
        await ChangeMonitor.shared.settle()
      }
      try File("a", "another").write(into: directory.path)
      await ChangeMonitor.shared.settle()

      var changes = sequence.makeAsyncIterator()
      #expect(await changes.next() == .changed(url(directory.path, "a")))
      #expect(
        await changes.next()
          == .moved(from: url(directory.path, "a"), to: url(directory.path, "c"))
      )
      #expect(await changes.next() == .appeared(url(directory.path, "a")))
    }

    @Test func `a cancelled reader gets nil, and others go on`() async throws {
      let directory = try TemporaryDirectory(in: FilePath("/dev/shm"))
      let sequence = try await FileChanges(of: url(directory.path))
      let reader = Task {
        var changes = sequence.makeAsyncIterator()
        return await changes.next()
      }
      reader.cancel()
      #expect(await reader.value == nil)

      try File("f").write(into: directory.path)
      var changes = sequence.makeAsyncIterator()
      #expect(await changes.next() == .appeared(url(directory.path, "f")))
    }

    @Test func `the watch ends with the sequence`() async throws {
      let directory = try TemporaryDirectory(in: FilePath("/dev/shm"))
      await ChangeMonitor.shared.settle()
      let before = ChangeMonitor.shared.statistics.watches
      do {
        let sequence = try await FileChanges(of: url(directory.path))
        try await eventually("watched") { ChangeMonitor.shared.statistics.watches > before }
        withExtendedLifetime(sequence) {}
      }
      try await eventually("freed") { ChangeMonitor.shared.statistics.watches <= before }
    }

    @Test func `a URL that is no file is refused with what was wrong`() async throws {
      let other = try #require(URL(string: "https://example.org/f"))
      let error = try await #require(throws: FileWatchingError.self) {
        _ = try await FileChanges(of: other)
      }
      #expect(error.code == .notAFileURL)
      #expect(error.message.contains("https://example.org/f"))
      #expect(throws: FileWatchingError.self) { try FileWatcher(other) { _ in } }
    }

    @Test func `names that are not UTF-8 come back byte by byte`() async throws {
      let directory = try TemporaryDirectory(in: FilePath("/dev/shm"))
      let sequence = try await FileChanges(of: url(directory.path))
      let name: [UInt8] = [0x62, 0xff, 0xfe, 0x0a]
      _ = try Descriptor.open(directory.path.appending(name), [.writeOnly, .create])
      var changes = sequence.makeAsyncIterator()
      guard case .appeared(let found)? = await changes.next() else {
        Issue.record("nothing appeared")
        return
      }
      #expect(FilePath(ofFileURL: found.absoluteString) == directory.path.appending(name))
    }
  }
}

/// What a client was told.
private final class ChangeLog: Sendable {
  private let changes = Mutex<[FileChange]>([])
  func add(_ change: FileChange) { changes.withLock { $0.append(change) } }
  var all: [FileChange] { changes.withLock { $0 } }
}
