import CLinux

/// The claims whose accessors are running on the calling thread, innermost last.
///
/// Kept in thread-local memory: asking costs no lock and no system call.
package enum ThreadClaims {
  /// Whether no accessor runs on this thread: the common case.
  package static var isEmpty: Bool { cl_claims_depth() == 0 }

  /// The numbers of the claims, outermost first.
  package static var numbers: [UInt64] {
    (0..<cl_claims_depth()).map { cl_claims_at($0) }
  }

  /// Notes that an accessor under this claim begins on the calling thread.
  package static func push(_ number: UInt64) { cl_claims_push(number) }

  /// Notes that the innermost accessor of the calling thread ended.
  package static func pop() { cl_claims_pop() }

  /// The kernel's number of the calling thread; asked once per thread.
  package static var thread: UInt32 { cl_thread_number() }
}
