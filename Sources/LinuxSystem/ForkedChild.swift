import CLinux
import Glibc

/// A child that was forked and runs no other program.
///
/// For tests of hosts that do this: in the child of a process with threads, a lock of any library may
/// be held for ever by a thread that is not there.
package enum ForkedChild {
  /// Forks; the child runs `body`, ends with its result and never returns.
  ///
  /// - Returns: the child's id.
  /// - SeeAlso: fork(2)
  package static func start(_ body: () -> Int32) throws(SystemError) -> Int32 {
    let child = try systemCall("fork") { cl_fork() }
    if child == 0 { _exit(body()) }
    return child
  }

  /// Lets 2 ms pass, without a lock.
  package static func pause() { usleep(2000) }

  /// Ends the process at once: no handlers, no buffers.
  ///
  /// - SeeAlso: _exit(2)
  package static func leave(_ code: Int32) -> Never { _exit(code) }

  /// Waits for a child and says how it ended; blocks the calling thread.
  package static func wait(for child: Int32) -> Int32 {
    var status: CInt = 0
    _ = unsafe waitpid(child, &status, 0)
    return cl_wifexited(status) ? cl_wexitstatus(status) : -cl_wtermsig(status)
  }
}
