import LinuxSystem
import AccessClaims

/// A value that one thread leaves for another.
final class ValueBox<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  func set(_ new: Value) { value.withLock { $0 = new } }
  func get() -> Value? { value.withLock { $0 } }
}

extension ClaimTable {
  func result(_ request: ClaimRequest, _ waiter: PlainWaiter) -> Result<Claim, ClaimFailure> {
    do throws(ClaimFailure) {
      return .success(try acquire(request, waiter: waiter))
    } catch {
      return .failure(error)
    }
  }
}
