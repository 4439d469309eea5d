#if DEBUG
package import LinuxSystem
#else
import LinuxSystem
#endif
import struct Synchronization.Atomic

/// Refusals and moments that tests force upon watches; compiled out of release builds.
package enum WatchFaults {
  #if DEBUG
  private static let plan = Mutex<[FilePath: (allowed: Int, code: Errno)]>([:])
  private static let isArmed = Atomic<Bool>(false)

  /// Lets only so many more directories at or below `path` be watched; the rest fail with `code`.
  package static func refuse(below path: FilePath, after allowed: Int = 0, _ code: Errno) {
    plan.withLock { $0[path] = (allowed, code) }
    isArmed.store(true, ordering: .sequentiallyConsistent)
  }

  /// Takes it back.
  package static func allow(below path: FilePath) { plan.withLock { $0[path] = nil } }

  /// A function that is itself the value of a lock would be wrapped once more by every access.
  private struct Moment: Sendable { let body: @Sendable () -> Void }
  private static let moments = Mutex<[FilePath: Moment]>([:])

  /// Runs `body` once, on the monitor's thread, right before the directory `path` is watched, or again.
  package static func once(watching path: FilePath, _ body: @escaping @Sendable () -> Void) {
    moments.withLock { $0[path] = Moment(body: body) }
    isArmed.store(true, ordering: .sequentiallyConsistent)
  }

  static func next(for path: FilePath) -> Errno? {
    guard isArmed.load(ordering: .relaxed) else { return nil }
    moments.withLock { $0.removeValue(forKey: path) }?.body()
    return plan.withLock { plan in
      for (root, limit) in plan where path == root || path.isInside(root) {
        if limit.allowed == 0 { return limit.code }
        plan[root]?.allowed -= 1
      }
      return nil
    }
  }
  #else
  @inline(__always) static func next(for path: FilePath) -> Errno? { nil }
  #endif
}
