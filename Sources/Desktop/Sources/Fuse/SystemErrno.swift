import Glibc

/// Why a call failed, as its caller gets it.
///
/// - SeeAlso: errno(3)
public struct SystemErrno: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number; at least 1.
  public let number: Int32
  /// An error of that number.
  public init(_ number: Int32) { self.number = max(number, 1) }

  static var current: SystemErrno { SystemErrno(errno) }

  /// ENOENT.
  public static let noEntry = SystemErrno(ENOENT)
  /// EACCES.
  public static let permissionDenied = SystemErrno(EACCES)
  /// EPERM.
  public static let notPermitted = SystemErrno(EPERM)
  /// EINTR.
  public static let interrupted = SystemErrno(EINTR)
  /// EIO.
  public static let inputOutput = SystemErrno(EIO)
  /// ESTALE.
  public static let stale = SystemErrno(ESTALE)
  /// EBUSY.
  public static let busy = SystemErrno(EBUSY)
  /// EINVAL.
  public static let invalid = SystemErrno(EINVAL)
  /// ETIMEDOUT.
  public static let timedOut = SystemErrno(ETIMEDOUT)
  /// EDEADLK.
  public static let deadlock = SystemErrno(EDEADLK)
  /// EAGAIN.
  public static let again = SystemErrno(EAGAIN)
  /// ENOSPC.
  public static let noSpace = SystemErrno(ENOSPC)
  /// EROFS.
  public static let readOnly = SystemErrno(EROFS)
  /// EEXIST.
  public static let exists = SystemErrno(EEXIST)
  /// ENOTDIR.
  public static let notADirectory = SystemErrno(ENOTDIR)
  /// ENOTEMPTY.
  public static let notEmpty = SystemErrno(ENOTEMPTY)
  /// ENETUNREACH.
  public static let networkUnreachable = SystemErrno(ENETUNREACH)
  /// ENOTCONN.
  public static let notConnected = SystemErrno(ENOTCONN)
  /// The largest number that is an error's.
  public static let largest: Int32 = 133

  /// What the C library says of it.
  public var description: String { unsafe String(cString: strerror(number)) }
}

/// Runs a system call that says -1 where it failed, again where a signal interrupted it.
@discardableResult
func check<Result: SignedInteger>(_ call: () -> Result) throws(SystemErrno) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    if errno != EINTR { throw .current }
  }
}
