package import CoordinationRuntime
package import LinuxSystem

/// Why a claim was not granted.
///
/// Nothing is held then.
package enum ClaimFailure: Error, Sendable, CustomStringConvertible {
  case cancelled
  case timedOut
  /// Waiting could never end; the text names who waits for whom.
  case wouldDeadlock(String)
  /// Somebody wrote the item while a read was being turned into a write: what was read is stale.
  case changedDuringUpgrade(FilePath)
  /// The directory through which processes exclude each other cannot be used.
  case runtime(RuntimeDirectoryError)
  /// The path of an item cannot be resolved.
  case unreachable(SystemError)
  /// The process or the system has no descriptor left; everything was given back.
  case outOfDescriptors(SystemError)
  /// What the path stands for changed each time it was looked at.
  case unstablePath(FilePath)
  /// The kernel refused to lock (no locks, not supported).
  case lockUnavailable(SystemError)

  package var description: String {
    switch self {
    case .cancelled: "the access was cancelled"
    case .timedOut: "the time limit passed before the access could begin"
    case .wouldDeadlock(let cycle): "the access would wait for ever: \(cycle)"
    case .changedDuringUpgrade(let path):
      "\(path) was written by somebody else since it was read; read it again"
    case .runtime(let error): error.description
    case .unreachable(let error): "the item cannot be reached: \(error)"
    case .outOfDescriptors(let error):
      "no file descriptor is left for a lock (\(error)); close files or raise the limit"
    case .unstablePath(let path):
      "\(path) kept changing what it stands for while it was being claimed"
    case .lockUnavailable(let error):
      "the coordination directory's file system does not lock (\(error)); set "
        + "FILE_COORDINATION_DIR to a directory on a local file system"
    }
  }

  /// The failure that an error of opening a lock file means.
  init(_ error: RuntimeDirectoryError) {
    if let cause = error.cause,
      cause.code == .tooManyOpenFiles || cause.code == .fileTableFull || cause.code == .noMemory
    {
      self = .outOfDescriptors(cause)
    } else {
      self = .runtime(error)
    }
  }

  /// The failure that an error number of flock(2) means.
  init(locking code: Errno) { self = .lockUnavailable(SystemError("flock", code)) }
}
