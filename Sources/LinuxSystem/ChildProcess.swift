import CLinux
import Glibc

/// A program that this process started; it is killed and reaped when the value ends.
///
/// Foundation's `Process` is not used: it hands inherited descriptors on, and its run loop hides when
/// the child ended.
package final class ChildProcess: Sendable {
  /// How a process ended.
  package enum End: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// Its id; stays taken until it was reaped.
  package let pid: Int32
  private let end = Mutex<End?>(nil)

  /// Starts `program` with arguments that follow its name.
  ///
  /// The environment is `NAME=value` each; nil hands ours on. A descriptor that is negative keeps
  /// ours; those to be kept survive under the same numbers. Fails with ENOENT for a missing program.
  /// - SeeAlso: posix_spawn(3)
  package init(
    _ program: FilePath,
    _ arguments: [String] = [],
    environment: [String]? = nil,
    input: CInt = -1,
    output: CInt = -1,
    error: CInt = -1,
    keeping kept: [CInt] = []
  ) throws(SystemError) {
    var pid: pid_t = 0
    let words = CStrings([program.description] + arguments)
    let variables = environment.map(CStrings.init)
    let code = withExtendedLifetime((words, variables)) {
      unsafe program.withCString { path in
        unsafe cl_spawn(
          &pid,
          path,
          words.pointers,
          variables?.pointers ?? environ,
          input,
          output,
          error,
          kept,
          CInt(kept.count),
          false
        )
      }
    }
    if code != 0 { throw SystemError("posix_spawn", code, on: program.description) }
    self.pid = pid
  }

  /// Starts `program` with what `rules` allow, and no way to get more.
  ///
  /// The rules hold for all that the program starts itself. Signals have their standard effect in it.
  /// Its working directory is `directory`.
  ///
  /// - Throws: what the call that failed in the child said, under its name; the child is gone then.
  /// - SeeAlso: landlock_restrict_self(2), execve(2)
  package init(
    _ program: FilePath,
    _ arguments: [String],
    environment: [String],
    input: CInt = -1,
    output: CInt = -1,
    error: CInt = -1,
    keeping kept: [CInt] = [],
    confinedBy rules: LandlockRules,
    in directory: FilePath
  ) throws(SystemError) {
    var pid: pid_t = 0
    var stage: CInt = 0
    let words = CStrings([program.description] + arguments)
    let variables = CStrings(environment)
    let code = withExtendedLifetime((words, variables)) {
      unsafe directory.withCString { path in
        unsafe cl_spawn_confined(
          &pid,
          words.pointers,
          variables.pointers,
          input,
          output,
          error,
          kept,
          CInt(kept.count),
          rules.number,
          path,
          &stage
        )
      }
    }
    if code != 0 {
      switch stage {
      case 2: throw SystemError("prctl", code)
      case 3: throw SystemError("landlock_restrict_self", code)
      case 4: throw SystemError("chdir", code, on: directory.description)
      case 5: throw SystemError("execve", code, on: program.description)
      case 1: throw SystemError("dup2", code)
      default: throw SystemError("fork", code)
      }
    }
    self.pid = pid
  }

  deinit {
    send(.kill)
    _ = wait()
  }

  /// Sends a signal, unless the process was reaped already.
  package func send(_ signal: Signal) {
    end.withLock { end in
      if end == nil { _ = kill(pid, signal.rawValue) }
    }
  }

  /// Blocks the calling thread until the process ended, and reaps it.
  ///
  /// - SeeAlso: waitid(2)
  @discardableResult
  package func wait() -> End {
    while true {
      if let end = end.withLock({ $0 }) { return end }
      var info = unsafe siginfo_t()
      // Not reaped here, so that the id cannot be somebody else's while a signal is sent.
      _ = unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT)
      if let end = reap() { return end }
    }
  }

  /// How it ended, or nil while it runs; does not block.
  package func poll() -> End? { reap() }

  private func reap() -> End? {
    end.withLock { end in
      if end != nil { return end }
      var status: CInt = 0
      let found = unsafe waitpid(pid, &status, WNOHANG)
      if found == pid {
        end =
          cl_wifexited(status) ? .exited(cl_wexitstatus(status)) : .signalled(cl_wtermsig(status))
      } else if found == -1, cl_errno() == ECHILD {
        end = .exited(-1)
      }
      return end
    }
  }
}

extension ChildProcess {
  /// Starts a program that is nobody's child and outlives this process.
  ///
  /// It has a session of its own, reads nothing, says what it says into `log`, stands in `/` and gets
  /// one descriptor under the same number, unless that is negative. The environment is ours unless another
  /// is given. Returns once it runs.
  /// - Throws: what execve(2) reports: ENOENT, EACCES and the like.
  /// - SeeAlso: setsid(2)
  package static func startDetached(
    _ program: FilePath,
    _ arguments: [String],
    environment: [String]? = nil,
    log: CInt,
    keeping kept: CInt = -1
  ) throws(SystemError) {
    let words = CStrings([program.description] + arguments)
    let variables = environment.map(CStrings.init)
    let code = withExtendedLifetime((words, variables)) {
      unsafe program.withCString { path in
        unsafe cl_spawn_detached(path, words.pointers, variables?.pointers ?? environ, log, kept)
      }
    }
    if code != 0 { throw SystemError("execve", code, on: program.description) }
  }
}
