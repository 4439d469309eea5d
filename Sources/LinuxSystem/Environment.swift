import CLinux
import Glibc

/// The environment and account of this process.
package enum Environment {
  /// The value of a variable, its bytes as they are.
  ///
  /// - SeeAlso: getenv(3)
  package static func value(of name: String) -> FilePath? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe FilePath(
      bytes: UnsafeBufferPointer(
        start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self),
        count: strlen(text)
      )
    )
  }

  /// The home directory that the user database names: the same in every process of the user.
  ///
  /// - SeeAlso: getpwuid_r(3)
  package static var home: FilePath? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var space = [CChar](repeating: 0, count: 16384)
    let code = unsafe getpwuid_r(geteuid(), &entry, &space, space.count, &found)
    guard code == 0, unsafe found != nil, let home = unsafe entry.pw_dir else { return nil }
    return unsafe FilePath(
      bytes: UnsafeBufferPointer(
        start: UnsafeRawPointer(home).assumingMemoryBound(to: UInt8.self),
        count: strlen(home)
      )
    )
  }

  /// The effective user of this process.
  package static var user: UInt32 { geteuid() }
}

/// Counts forks without exec between the first process and this one.
package enum ForkGeneration {
  /// 0 in a process that was not forked; no system call.
  package static var current: UInt32 { cl_fork_generation() }
}
