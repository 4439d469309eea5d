import CLinux
import Glibc

/// A child that was forked and runs no other program.
///
/// For tests of hosts that do this: in the child of a process with threads, a lock of any library may
/// be held for ever by a thread that is not there.
package enum ForkedChild {
  /// Forks; the child runs `body`, ends with its result and never returns.
  ///
  /// The kernel ends it by SIGALRM after `limit` seconds: a child that waits for a lock of nobody
  /// would outlive its parent, and keep open whatever it inherited.
  ///
  /// - Returns: the child's id.
  /// - SeeAlso: fork(2), alarm(2)
  package static func start(limit: UInt32 = 60, _ body: () -> Int32) throws(SystemError) -> Int32 {
    let child = try systemCall("fork") { cl_fork() }
    if child == 0 {
      cl_end_after(limit)
      _exit(body())
    }
    return child
  }

  /// Lets 2 ms pass, without a lock.
  package static func pause() { usleep(2000) }

  /// Ends the process at once: no handlers, no buffers.
  ///
  /// - SeeAlso: _exit(2)
  package static func leave(_ code: Int32) -> Never { _exit(code) }

  /// Waits for a child and says how it ended, its exit status or minus the signal that ended it; blocks
  /// the calling thread, at most for the child's limit.
  package static func wait(for child: Int32) -> Int32 {
    var status: CInt = 0
    while unsafe waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return -1 }
    }
    return cl_wifexited(status) ? cl_wexitstatus(status) : -cl_wtermsig(status)
  }
}
