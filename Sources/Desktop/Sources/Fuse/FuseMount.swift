import CFuse
import Glibc
import Synchronization

/// A file system at a place of the tree, for as long as this process lives and nobody unmounts it.
public struct FuseMount: Sendable {
  private let mountpoint: String
  private let name: String
  private let type: String

  /// Nothing is mounted yet.
  ///
  /// - Parameters:
  ///   - mountpoint: the directory that it will be seen in.
  ///   - name: what stands for the device in lists of mounts; no commas.
  ///   - type: what stands after `fuse.` there.
  public init(at mountpoint: String, name: String, type: String) {
    self.mountpoint = mountpoint
    self.name = name
    self.type = type
  }

  /// How many calls can be waited in at once; more wait for one of these.
  public static let threads: UInt32 = 512

  /// Has the signals that end the mount wait for ``serve(_:onTermination:)``.
  ///
  /// Called first in a program: threads that are there already would take them.
  public static func holdSignals() {
    var signals = endings
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    // What wakes the loop: it has to interrupt, and to do nothing.
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in }
    unsafe sigaction(SIGUSR1, &action, nil)
    var waking = sigset_t()
    unsafe sigemptyset(&waking)
    unsafe sigaddset(&waking, SIGUSR1)
    // Whoever started us may have had it blocked.
    unsafe pthread_sigmask(SIG_UNBLOCK, &waking, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  private static var endings: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, number) }
    return signals
  }

  /// Mounts, serves until somebody unmounts or a signal comes, and unmounts; blocks the main thread.
  ///
  /// - Parameters:
  ///   - fileSystem: what is mounted.
  ///   - onTermination: called once on a thread of its own when a signal came: whoever blocks has to end.
  /// - Throws: what the system says; libfuse wrote more to standard error.
  public func serve(
    _ fileSystem: any MountedFileSystem,
    onTermination: @escaping @Sendable () -> Void
  ) throws(SystemErrno) {
    let box = MountedBox(fileSystem)
    defer { withExtendedLifetime(box) {} }
    errno = 0
    guard let fuse = unsafe make(box) else { throw .current }
    defer { unsafe fuse_destroy(fuse) }
    guard unsafe fuse_mount(fuse, mountpoint) == 0 else { throw .current }
    defer { unsafe fuse_unmount(fuse) }
    let ending = unsafe Ending(fuse_get_session(fuse), pthread_self(), onTermination)
    ending.start()
    // Also an error when it was unmounted from elsewhere: nothing is left to be done then either.
    _ = unsafe cf_loop(fuse, Self.threads)
    ending.loopEnded()
  }

  private func make(_ box: MountedBox) -> OpaquePointer? {
    let words = [
      "provider-mount", "-o", "fsname=\(name),subtype=\(type),default_permissions,nosuid,nodev",
    ]
    var arguments = unsafe fuse_args()
    for word in words { unsafe fuse_opt_add_arg(&arguments, word) }
    defer { unsafe fuse_opt_free_args(&arguments) }
    var table = Callbacks.table
    return unsafe cf_new(
      &arguments,
      &table,
      MemoryLayout<fuse_operations>.size,
      Unmanaged.passUnretained(box).toOpaque()
    )
  }

  /// Waits for a signal, and ends the loop then.
  // @unchecked because session and thread are those of serve, which lives until the loop has ended, and
  // nothing is touched afterwards.
  @safe private final class Ending: @unchecked Sendable {
    private let session: OpaquePointer
    private let thread: pthread_t
    private let onTermination: @Sendable () -> Void
    private let hasEnded = Mutex(false)

    init(_ session: OpaquePointer, _ thread: pthread_t, _ body: @escaping @Sendable () -> Void) {
      unsafe self.session = session
      self.thread = thread
      onTermination = body
    }

    func start() {
      var made = pthread_t()
      let ending = unsafe Unmanaged.passRetained(self).toOpaque()
      let code = unsafe pthread_create(
        &made,
        nil,
        { ending in
          if let ending = unsafe ending {
            unsafe Unmanaged<Ending>.fromOpaque(ending).takeRetainedValue().wait()
          }
          return nil
        },
        ending
      )
      if code == 0 { pthread_detach(made) }
    }

    private func wait() {
      var signals = FuseMount.endings
      var number: CInt = 0
      unsafe sigwait(&signals, &number)
      onTermination()
      // Again and again: between a look at the mark and the sleep after it a signal wakes nobody.
      while endLoop() {
        var pause = timespec(tv_sec: 0, tv_nsec: 50_000_000)
        unsafe nanosleep(&pause, nil)
      }
    }

    /// False when the loop has ended.
    private func endLoop() -> Bool {
      hasEnded.withLock { hasEnded in
        if hasEnded { return false }
        unsafe fuse_session_exit(session)
        pthread_kill(thread, SIGUSR1)
        return true
      }
    }

    func loopEnded() { hasEnded.withLock { $0 = true } }
  }
}
