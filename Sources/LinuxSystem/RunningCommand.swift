import CLinux
import Glibc

/// A program that was started for the user and goes on by itself if this process dies.
///
/// It shares our terminal, process group, environment, working directory and standard streams.
package final class RunningCommand: Sendable {
  /// How it ended, as a shell says it: its exit status, or 128 plus the signal that killed it.
  package typealias Status = Int32

  /// Its id; stays taken until ``wait()`` returned.
  package let pid: Int32
  private let isReaped = Mutex(false)

  /// Starts the program that the first of `words` names, searched in PATH.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments, bytes as they are; at least one.
  ///   - kept: Descriptors that stay open in it under the same numbers.
  ///   - signals: Whose blocking it must not inherit.
  /// - Throws: ENOENT for a missing program, EACCES for one that may not be run.
  /// - SeeAlso: posix_spawnp(3)
  package init(
    _ words: [FilePath],
    keeping kept: [CInt] = [],
    undoing signals: SignalSource? = nil
  ) throws(SystemError) {
    guard let program = words.first else { throw SystemError("posix_spawn", EINVAL) }
    var pid: pid_t = 0
    var mask = sigset_t()
    if let signals {
      mask = signals.maskBefore.set
    } else {
      unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
    }
    let arguments = ArgumentVector(words)
    let code = withExtendedLifetime(arguments) {
      unsafe cl_spawn_command(&pid, arguments.pointers, kept, CInt(kept.count), &mask)
    }
    if code != 0 { throw SystemError("posix_spawn", code, on: program.description) }
    self.pid = pid
  }

  /// Sends a signal unless it was reaped already: its id could be somebody else's.
  package func send(_ signal: Signal) {
    isReaped.withLock { isReaped in
      if !isReaped { _ = kill(pid, signal.rawValue) }
    }
  }

  /// Waits until it ended.
  ///
  /// Blocks the calling thread. To be called once.
  ///
  /// - SeeAlso: waitid(2)
  package func wait() throws(SystemError) -> Status {
    var info = unsafe siginfo_t()
    // Not reaped yet, so that nobody signals an id that is free.
    _ = try systemCall("waitid") { unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) }
    var status: CInt = 0
    isReaped.withLock { isReaped in
      _ = unsafe waitpid(pid, &status, 0)
      isReaped = true
    }
    return cl_wifexited(status) ? cl_wexitstatus(status) : 128 + cl_wtermsig(status)
  }
}

/// Words as C wants them: an array of pointers that ends with NULL.
@safe private final class ArgumentVector {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ words: [FilePath]) {
    count = words.count
    unsafe pointers = .allocate(capacity: count + 1)
    for (index, word) in words.enumerated() {
      unsafe word.withCString { unsafe pointers[index] = strdup($0) }
    }
    unsafe pointers[count] = nil
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
