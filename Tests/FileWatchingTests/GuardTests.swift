import FileWatching
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// A directory whose owner must know at once that it was taken from it.
  @Suite struct Guards {
    private final class Owner: Sendable {
      private let counts = Mutex((heard: 0, force: [Bool]()))
      let watcher: Watcher
      let token: DirectoryGuard

      init(_ watcher: Watcher, _ name: String) throws {
        self.watcher = watcher
        let directory = try SharedDescriptor(
          Descriptor.open(watcher.path(name), [.pathOnly, .directory])
        )
        let box = WeakBox()
        token = watcher.monitor.guardDirectory(
          directory,
          isInForce: { value in box.owner?.counts.withLock { $0.force.append(value) } },
          heard: { box.owner?.counts.withLock { $0.heard += 1 } }
        )
        box.set(self)
      }
      deinit { watcher.monitor.dismiss(token) }

      var heard: Int { counts.withLock { $0.heard } }

      /// What was heard of once all that happened before has been read.
      func heardByNow() async -> Int {
        await withCheckedContinuation { done in watcher.monitor.fence { done.resume() } }
        return heard
      }
    }

    private final class WeakBox: Sendable {
      private struct State { weak var owner: Owner? }
      private let state = Mutex(State())
      var owner: Owner? { state.withLock { $0.owner } }
      func set(_ owner: Owner) { state.withLock { $0.owner = owner } }
    }

    @Test(
      arguments: Engine.allCases,
      ["rm d/f", "mv d/f f", "mv x d/f", "mv d e", "rm -r d"]
    )
    func `what takes a directory or its entries away is heard`(_ engine: Engine, _ command: String)
      async throws
    {
      let w = try Watcher(engine) {
        File("x")
        Directory("d") { File("f") }
      }
      let owner = try Owner(w, "d")
      #expect(await owner.heardByNow() == 0)

      try await w.shell(command)

      try await eventually("it is heard") { owner.heard > 0 }
    }

    @Test(arguments: Engine.allCases, ["echo more >>d/f", "echo new >d/g", "cat d/f", "mv x y"])
    func `what takes nothing away is not`(_ engine: Engine, _ command: String) async throws {
      let w = try Watcher(engine) {
        File("x")
        Directory("d") { File("f") }
      }
      let owner = try Owner(w, "d")

      try await w.shell(command)

      #expect(await owner.heardByNow() == 0)
    }

    @Test(arguments: Engine.allCases)
    func `a guard and watchers of the same directory do not take each other's watch`(
      _ engine: Engine
    ) async throws {
      let w = try Watcher(engine) { Directory("d") { File("f") } }
      let tree = w.watch("d", .tree)
      let owner = try Owner(w, "d")
      let before = await owner.heardByNow()

      try await w.shell("echo more >>d/f")
      #expect(await w.events() == [.subitemChanged(w.path("d/f"))])
      #expect(await owner.heardByNow() == before)
      w.monitor.unwatch(tree)
      try await w.shell("rm d/f")
      try await eventually("it is heard") { owner.heard > before }

      let again = w.watch("d", .tree)
      w.monitor.dismiss(owner.token)
      try await w.shell("echo new >d/g")
      #expect(await w.events() == [.subitemAppeared(w.path("d/g"))])
      w.monitor.unwatch(again)
    }

    @Test func `who has lost records is told to look`() async throws {
      let w = try Watcher(.kernel) { Directory("d") { File("f") } }
      let owner = try Owner(w, "d")
      #expect(await owner.heardByNow() == 0)
      w.monitor.limitQueue(to: 0)

      try await w.shell("mv d e")

      try await eventually("it is heard") { owner.heard > 0 }
    }
  }
}
