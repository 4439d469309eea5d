import FileWatching
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// Records that are lost, and those that are read after the look that makes them good.
  @Suite struct Losses {
    /// The look finds one name gone and one new; then the record of the first is read, and that of the
    /// second is lost as well.
    @Test(arguments: Engine.allCases)
    func `a rename during the look after a loss is told as one`(_ engine: Engine) async throws {
      let w = try Watcher(engine, inMemory: true) {
        Directory("t") { File("old", "text") }
      }
      await watchLosing(w)
      defer { w.monitor.limitQueue(to: nil) }
      let (old, new) = (w.path("t/old"), w.path("t/new"))
      WatchFaults.once(watching: w.path("t")) {
        do { try FileSystem.rename(old, to: new) } catch { Issue.record(error) }
        // As long as a busy machine takes from the look to the next record.
        ForkedChild.pause()
        ForkedChild.pause()
      }
      let told = try await toldAfterLoss(w)
      #expect(told.contains(.subitemMoved(from: old, to: new)), "\(told)")
      #expect(!told.contains(.subitemDeleted(old)), "\(told)")
    }

    /// One look finds the name gone in one directory after it looked at the other one; the next look, after
    /// the record of the arrival was lost, finds it there.
    @Test(arguments: Engine.allCases)
    func `the halves of a rename that two looks find are told as one`(_ engine: Engine) async throws
    {
      let w = try Watcher(engine, inMemory: true) {
        Directory("t") {
          Directory("x") { File("old", "text of x") }
          Directory("y") { File("old", "text of y") }
        }
      }
      await watchLosing(w)
      defer { w.monitor.limitQueue(to: nil) }
      let first = Mutex<FilePath?>(nil)
      let moved = Mutex<(from: FilePath, to: FilePath)?>(nil)
      for directory in [w.path("t/x"), w.path("t/y")] {
        WatchFaults.once(watching: directory) {
          let other = first.withLock { first in
            defer { first = first ?? directory }
            return first
          }
          guard let other else { return }
          let (old, new) = (directory.appending("old"), other.appending("new"))
          do { try FileSystem.rename(old, to: new) } catch { Issue.record(error) }
          moved.withLock { $0 = (old, new) }
          // As long as a busy machine takes from one look to the next.
          for _ in 0..<20 { ForkedChild.pause() }
        }
      }
      let told = try await toldAfterLoss(w)
      let (old, new) = try #require(moved.withLock { $0 })
      #expect(told.contains(.subitemMoved(from: old, to: new)), "\(told)")
      #expect(!told.contains(.subitemDeleted(old)), "\(told)")
    }

    /// Watches "t"; of each read all records but one are lost from now on.
    private func watchLosing(_ w: Watcher) async {
      w.watch("t", .tree)
      repeat { await w.settle() } while w.monitor.statistics.unseen > 0
      _ = w.log.take()
      w.monitor.limitQueue(to: 1)
    }

    /// What is told of two files that are made while the monitor is held up, so that records are lost.
    private func toldAfterLoss(_ w: Watcher) async throws -> [ChangeEvent] {
      let gate = Gate()
      w.monitor.onThread { gate.wait() }
      do {
        defer { gate.open() }
        try await w.shell("echo >t/a; echo >t/b")
      }
      return await w.events()
    }
  }
}
