import CLinux
import Glibc

/// How a file is opened; `O_CLOEXEC` is always added.
package struct OpenOptions: OptionSet, Sendable {
  package let rawValue: CInt
  package init(rawValue: CInt) { self.rawValue = rawValue }
  package static let readOnly: OpenOptions = []
  package static let writeOnly = OpenOptions(rawValue: O_WRONLY)
  package static let readWrite = OpenOptions(rawValue: O_RDWR)
  package static let create = OpenOptions(rawValue: O_CREAT)
  package static let exclusive = OpenOptions(rawValue: O_EXCL)
  package static let truncate = OpenOptions(rawValue: O_TRUNC)
  package static let append = OpenOptions(rawValue: O_APPEND)
  package static let directory = OpenOptions(rawValue: O_DIRECTORY)
  package static let noFollow = OpenOptions(rawValue: O_NOFOLLOW)
  package static let nonBlocking = OpenOptions(rawValue: O_NONBLOCK)
  package static let pathOnly = OpenOptions(rawValue: 0o10000000)  // O_PATH
  /// The item itself, not opened: put together once, because sets of options cost as much as a lock.
  package static let itself: OpenOptions = [.pathOnly, .noFollow]
}

extension Descriptor {
  /// Opens `path`, relative to `directory` where one is given.
  ///
  /// - SeeAlso: openat(2)
  package static func open(
    _ path: FilePath,
    _ options: OpenOptions,
    mode: UInt32 = 0o600,
    in directory: borrowing Descriptor
  ) throws(SystemError) -> Descriptor {
    try open(path, options, mode: mode, at: directory.number)
  }

  /// Opens `path`, relative to the working directory where it is not absolute.
  ///
  /// - SeeAlso: open(2)
  package static func open(
    _ path: FilePath,
    _ options: OpenOptions,
    mode: UInt32 = 0o600
  ) throws(SystemError) -> Descriptor {
    try open(path, options, mode: mode, at: AT_FDCWD)
  }

  package static func open(
    _ path: FilePath,
    _ options: OpenOptions,
    mode: UInt32 = 0o600,
    at directory: CInt
  ) throws(SystemError) -> Descriptor {
    let flags = options.rawValue | O_CLOEXEC
    do throws(SystemError) {
      let number = try systemCall("openat", on: path) {
        unsafe path.withCString { unsafe cl_openat(directory, $0, flags, mode) }
      }
      return Descriptor(owning: number)
    } catch  where error.code == .tooManyLinks && options.contains(.noFollow) {
      return try openWhatIsNoLink(path, options, mode: mode, at: directory, error)
    }
  }

  /// Opens a file on a file system that takes O_NOFOLLOW amiss, as the document portal's does: it
  /// reaches files through links of its own.
  private static func openWhatIsNoLink(
    _ path: FilePath,
    _ options: OpenOptions,
    mode: UInt32,
    at directory: CInt,
    _ refusal: SystemError
  ) throws(SystemError) -> Descriptor {
    let seen = try FileStatus(of: path, at: directory)
    guard seen.kind != .link else { throw refusal }
    let file = try open(path, options.subtracting(.noFollow), mode: mode, at: directory)
    // Not a link that was put there meanwhile.
    guard try FileStatus(of: file).isSameFile(as: seen) else { throw refusal }
    return file
  }

  /// Whether `directory` is reached without passing a symbolic link: then its path is canonical.
  ///
  /// One system call and a close; nil when it could not be said (missing, no permission).
  /// - SeeAlso: openat2(2) RESOLVE_NO_SYMLINKS
  package static func isFreeOfLinks(_ directory: FilePath) -> Bool? {
    let number = unsafe directory.withCString {
      unsafe cl_open_without_links(AT_FDCWD, $0, 0o10000000 | O_DIRECTORY | O_CLOEXEC)
    }
    if number >= 0 {
      _ = Glibc.close(number)
      return true
    }
    return cl_errno() == ELOOP ? false : nil
  }
}
