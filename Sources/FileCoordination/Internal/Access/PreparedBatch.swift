import AccessClaims
import CoordinationRuntime
import Foundation
import LinuxSystem
import PresenterLink

/// Presenters who got ready for a batch of accesses; they get their items back when it is done.
final class PreparedBatch: Sendable {
  private let core: CoordinatorCore
  private let items: [AccessItem]
  private let waiter: CoordinationWaiter
  private let claim = ClaimID.next()
  private let once = OnceFlag()
  private let audience: AccessAudience

  init(_ core: CoordinatorCore, _ items: [AccessItem]) {
    self.core = core
    self.items = items
    waiter = CoordinationWaiter(for: core)
    audience = AccessAudience(
      claim,
      excluding: core.presenterKey,
      onBehalfOf: core.record?.creditors ?? []
    )
  }

  /// Asks the presenters of the items, and of what they contain, and waits for their answers.
  func begin() throws(CoordinationError) {
    if core.isCancelled { throw CoordinationError(.cancelled, items) }
    defer { waiter.end() }
    var asked: [AskedItem] = []
    for item in items {
      guard let path = FilePath(item.url) else {
        throw CoordinationError(
          .itemUnreachable,
          item.url,
          isWriting: item.isWriting,
          "\(item.url) is not a file URL; nothing was prepared."
        )
      }
      do throws(SystemError) {
        let identity = try ItemResolver.shared.resolve(
          core.current(path),
          followingLink: item.readingOptions.contains(.resolvesSymbolicLink)
        )
        asked.append(AskedItem(item, identity, isPrepare: true))
      } catch {
        throw CoordinationError(claim: .unreachable(error), [item])
      }
    }
    do throws(CoordinationError) {
      try audience.ask(about: asked, for: items, waiter, until: nil)
    } catch {
      audience.abandon()
      throw error
    }
  }

  /// The batch is done, whichever thread says so; said twice, once counts.
  func finish() {
    if once.claim() { audience.finish([]) }
  }
}
