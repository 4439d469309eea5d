import CLinux
import Glibc

/// A named thread of ours, for calls that block: never the cooperative pool, never a client's queue.
///
/// All signals are blocked in it, so that a host's handlers run on the host's threads.
package enum BlockingThread {
  /// Starts a detached thread that runs `body` once.
  ///
  /// `name` is shown by ps -L and gdb, at most 15 bytes of it.
  /// - Throws: EAGAIN when the process may have no more threads.
  /// - SeeAlso: pthread_create(3)
  package static func start(
    _ name: String,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let box = unsafe Unmanaged.passRetained(Body(name, body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, 512 * 1024)
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread,
      &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        unsafe cl_name_thread(String(body.name.prefix(15)))
        body.run()
        return nil
      },
      box.toOpaque()
    )
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    unsafe pthread_attr_destroy(&attributes)
    if code != 0 {
      unsafe box.release()
      throw SystemError("pthread_create", code)
    }
  }

  private final class Body: Sendable {
    let name: String
    let run: @Sendable () -> Void
    init(_ name: String, _ run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }
}
