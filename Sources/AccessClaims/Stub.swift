// Stand-in until the layer lands: delete this file in the merge that brings the real types.
package import LinuxSystem
package import CoordinationRuntime
package struct ClaimRequest: Sendable {
  package enum Access: Sendable { case read, write, structuralWrite, movingWrite }
  package struct Item: Sendable { package var path: FilePath; package var access: Access; package var followsLink: Bool; package var followsMoves: Bool
   package init(path: FilePath, access: Access, followsLink: Bool, followsMoves: Bool) { self.path = path; self.access = access; self.followsLink = followsLink; self.followsMoves = followsMoves } }
  package init(items: [Item], purpose: Purpose, deadline: MonotonicInstant?, passesGatesOf: @escaping @Sendable () -> Set<ClaimID>, isInheritable: Bool) {}
}
package protocol ClaimWaiter: AnyObject, Sendable { func park(until: MonotonicInstant?); func wake(); var isCancelled: Bool { get } }
package final class ClaimTable: Sendable {
  package static func shared() throws(ClaimFailure) -> ClaimTable { ClaimTable() }
  package func acquire(_ r: ClaimRequest, waiter: any ClaimWaiter) throws(ClaimFailure) -> Claim { Claim() }
}
package final class Claim: Sendable {
  package struct Grant: Sendable { package let identity: ItemIdentity; package let path: FilePath; package let wasMoved: Bool }
  package var id: ClaimID { .next() }
  package var grants: [Grant] { [] }
  package func withAccessor<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try body() }
  package func beginAsking(waiter: any ClaimWaiter) throws(ClaimFailure) {}
  package func endAsking(waiter: any ClaimWaiter) throws(ClaimFailure) {}
  package func noteAsked(_ p: [ProcessIdentity]) {}
  package func recordMove(from: FilePath, to: FilePath) {}
  package func inheritableDescriptors() -> [CInt] { [] }
  package func release() {}
}
package enum ClaimFailure: Error { case cancelled, timedOut, wouldDeadlock(String), changedDuringUpgrade, runtime(RuntimeDirectoryError), unreachable(SystemError), outOfDescriptors(SystemError), unstablePath(FilePath), lockUnavailable(SystemError) }
