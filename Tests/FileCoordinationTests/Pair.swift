import PeerScript
import TestSupport

/// A process A that accesses and a process P that presents.
struct Pair {
  let world: World
  let a: Peer
  let p: Peer

  init(@FileTreeBuilder _ items: () -> [any FileTreeItem]) async throws {
    world = try World(items)
    a = try await world.peer("A")
    p = try await world.peer("P")
  }
}
