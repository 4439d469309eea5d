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
    // One process in 32, by its number, sweeps when it starts: how many of those that were killed before
    // the last one are still there is chance.
    var last: Int32 = 0
    for _ in 1...3 {
      let killed = try world.start("watch", world.path("f"))
      try await killed.expect("presenting")
      last = killed.pid
      killed.signal(.kill)
      _ = try await killed.end()
    }
    #expect(try folders().compactMap { PeerFolder.process(named: $0)?.pid }.contains(last))

    let runtime = try RuntimeDirectory(
      RuntimeDirectory.Choice(path: world.runtime, isExplicit: true, isTemporary: false)
    )
    #expect(try (1...3).contains(PeerFolder.sweep(runtime)))

    let left = try folders().compactMap { PeerFolder.process(named: $0)?.pid }
    #expect(left == [living.pid])
    #expect(try await world.filecoord("write", world.path("f"), "--", "true").status == 0)
    try await living.expect("presentedItemDidChange")
  }

  @Test func `a living process whose folder a stranger cleaned is not taken for dead`() async throws
  {
    let living = try world.start("watch", world.path("f"))
    try await living.expect("presenting")
    let folder = try #require(
      folders().first { PeerFolder.process(named: $0)?.pid == living.pid }
    )
    let peers = try Descriptor.open(world.runtime.appending("peers"), [.readOnly, .directory])
    #expect(try !PeerFolder.isDead(FilePath(bytes: folder), in: peers.number))
    try FileSystem.removeFile(
      world.runtime.appending("peers").appending(folder).appending("alive")
    )

    #expect(try !PeerFolder.isDead(FilePath(bytes: folder), in: peers.number))
    // Others still find it, as before.
    #expect(try await world.filecoord("write", world.path("f"), "--", "true").status == 0)
    try await living.expect("presentedItemDidChange")
  }
}
