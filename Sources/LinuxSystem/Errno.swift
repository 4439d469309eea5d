import Glibc

/// An error number, as errno(3) lists it.
package struct Errno: RawRepresentable, Hashable, Sendable {
  package let rawValue: CInt
  package init(rawValue: CInt) { self.rawValue = rawValue }

  package static let again = Errno(rawValue: EAGAIN)
  package static let badMessage = Errno(rawValue: EBADMSG)
  package static let noProcess = Errno(rawValue: ESRCH)
  package static let alreadyExists = Errno(rawValue: EEXIST)
  package static let badDescriptor = Errno(rawValue: EBADF)
  package static let busy = Errno(rawValue: EBUSY)
  package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
  package static let connectionReset = Errno(rawValue: ECONNRESET)
  package static let crossDevice = Errno(rawValue: EXDEV)
  package static let deadlock = Errno(rawValue: EDEADLK)
  package static let directoryNotEmpty = Errno(rawValue: ENOTEMPTY)
  package static let fileTableFull = Errno(rawValue: ENFILE)
  package static let interrupted = Errno(rawValue: EINTR)
  package static let invalid = Errno(rawValue: EINVAL)
  package static let isDirectory = Errno(rawValue: EISDIR)
  package static let linkCountFull = Errno(rawValue: EMLINK)
  package static let messageTooLong = Errno(rawValue: EMSGSIZE)
  package static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
  package static let noAttribute = Errno(rawValue: ENODATA)
  package static let noEntry = Errno(rawValue: ENOENT)
  package static let noLocks = Errno(rawValue: ENOLCK)
  package static let noMemory = Errno(rawValue: ENOMEM)
  package static let noSpace = Errno(rawValue: ENOSPC)
  package static let noSystemCall = Errno(rawValue: ENOSYS)
  package static let notConnected = Errno(rawValue: ENOTCONN)
  package static let notDirectory = Errno(rawValue: ENOTDIR)
  package static let notPermitted = Errno(rawValue: EPERM)
  package static let notSupported = Errno(rawValue: EOPNOTSUPP)
  package static let permissionDenied = Errno(rawValue: EACCES)
  package static let pipe = Errno(rawValue: EPIPE)
  package static let quotaExceeded = Errno(rawValue: EDQUOT)
  package static let readOnlyFileSystem = Errno(rawValue: EROFS)
  package static let timedOut = Errno(rawValue: ETIMEDOUT)
  package static let tooManyLinks = Errno(rawValue: ELOOP)
  package static let tooManyOpenFiles = Errno(rawValue: EMFILE)
}
