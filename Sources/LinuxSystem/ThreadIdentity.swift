import CLinux
import Glibc

/// A thread of this process, to ask whether the caller is it.
package struct ThreadIdentity: Hashable, Sendable {
  private let number: Int32
  /// The calling thread.
  ///
  /// - SeeAlso: gettid(2)
  package static var current: ThreadIdentity { ThreadIdentity(number: cl_gettid()) }
}

/// What the system allows this process.
package enum ProcessLimits {
  /// How many processors its threads may run on, now; at least one.
  ///
  /// - SeeAlso: sched_getaffinity(2)
  package static var processors: Int { max(1, Int(cl_processors())) }

  /// How many descriptors it may have, now.
  ///
  /// - SeeAlso: getrlimit(2) RLIMIT_NOFILE
  package static var descriptors: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return 1024
    }
    return Int(clamping: limit.rlim_cur)
  }
}
