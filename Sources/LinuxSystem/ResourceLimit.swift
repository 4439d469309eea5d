import Glibc

/// What the kernel lets this process have.
package enum ResourceLimit {
  /// How many descriptors may be open at once (the soft limit).
  ///
  /// - SeeAlso: getrlimit(2) RLIMIT_NOFILE
  package static var descriptors: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Sets how many descriptors may be open at once.
  ///
  /// - SeeAlso: setrlimit(2) RLIMIT_NOFILE
  package static func setDescriptors(_ count: Int) throws(SystemError) {
    var limit = rlimit()
    _ = try systemCall("getrlimit") { unsafe getrlimit(__rlimit_resource_t(7), &limit) }
    limit.rlim_cur = rlim_t(count)
    let new = limit
    _ = try systemCall("setrlimit") {
      var value = new
      return unsafe setrlimit(__rlimit_resource_t(7), &value)
    }
  }
}
