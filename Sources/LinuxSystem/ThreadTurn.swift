import Glibc

/// The calling thread's turn on its processor.
package enum ThreadTurn {
  /// Lets whoever else is ready run on this processor first; returns at once if nobody is.
  ///
  /// - SeeAlso: sched_yield(2)
  package static func yield() { _ = sched_yield() }
}
