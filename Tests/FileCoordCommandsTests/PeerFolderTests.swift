import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess)) struct PeerFolderTests {
  let world: World
  init() throws { world = try World { File("f", "") } }

  private func folders() throws -> [[UInt8]] {
    try FileSystem.list(world.runtime.appending("peers"))
  }

  @Test func `a command that ends in order leaves nothing of itself behind`() async throws {
    for _ in 1...3 {
      #expect(try await world.filecoord("write", world.path("f"), "--", "true").status == 0)
    }
    #expect(try await world.filecoord("rm", world.path("missing")).status == 66)
    #expect(try await world.filecoord("status").status == 0)
    let watcher = try world.start("watch", world.path("f"))
    try await watcher.expect("presenting")
    watcher.signal(.terminate)
    _ = try await watcher.end()

    #expect(try folders().isEmpty)
  }

  @Test(.tags(.crash)) func `what killed processes left is swept away, the living stay`()
    async throws
  {
    let living = try world.start("watch", world.path("f"))
    try await living.expect("presenting")
    for _ in 1...3 {
      let killed = try world.start("watch", world.path("f"))
      try await killed.expect("presenting")
      killed.signal(.kill)
      _ = try await killed.end()
    }
    #expect(try folders().count == 4)

    let runtime = try RuntimeDirectory(
      RuntimeDirectory.Choice(path: world.runtime, isExplicit: true, isTemporary: false)
    )
    #expect(try PeerFolder.sweep(runtime) == 3)

    let left = try folders().compactMap { PeerFolder.process(named: $0)?.pid }
    #expect(left == [living.pid])
    #expect(try await world.filecoord("write", world.path("f"), "--", "true").status == 0)
    try await living.expect("presentedItemDidChange")
  }
}
