import CLinux
import Glibc

extension Descriptor {
  /// Copies what is left of this file to `target`, without a round trip through memory where the
  /// file system can.
  ///
  /// - Parameters:
  ///   - target: Open for writing; written from where it stands.
  ///   - proceed: Asked between parts of at most 1 MiB; false ends the copy early.
  /// - Returns: Whether all was copied.
  /// - Throws: what read(2) and write(2) report.
  /// - SeeAlso: copy_file_range(2)
  package borrowing func copyContents(
    to target: borrowing Descriptor,
    while proceed: () -> Bool
  ) throws(SystemError) -> Bool {
    let (source, sink) = (number, target.number)
    do throws(SystemError) {
      while proceed() {
        let count = try systemCall("copy_file_range") {
          cl_copy_file_range(source, sink, 1 << 20)
        }
        // 0 is the end, or a file (as in /proc) that only read(2) can read: the loop below says.
        if count == 0 { break }
      }
    } catch  where error.isRefusalToCopy {
      // Other kernels, other file systems: copied below from where this stopped.
    }
    while proceed() {
      let part = try read(upTo: 1 << 20)
      if part.isEmpty { return true }
      try target.write(part)
    }
    return false
  }

  /// Gives `target` this file's extended attributes, among them access control lists.
  ///
  /// Attributes that may not be set there (another file system, another user) are left out.
  /// - SeeAlso: flistxattr(2)
  package borrowing func copyAttributes(to target: borrowing Descriptor) {
    let (source, sink) = (number, target.number)
    var names = [CChar](repeating: 0, count: 65536)
    let length = unsafe flistxattr(source, &names, names.count)
    guard length > 0 else { return }
    var value = [UInt8](repeating: 0, count: 65536)
    for name in names.prefix(length).split(separator: 0) {
      let name = Array(name) + [0]
      let size = unsafe fgetxattr(source, name, &value, value.count)
      if size >= 0 { _ = unsafe fsetxattr(sink, name, value, size, 0) }
    }
  }

  /// Sets owner and group; false where this process may not.
  ///
  /// - SeeAlso: fchown(2)
  package borrowing func setOwner(_ owner: UInt32, group: UInt32) -> Bool {
    fchown(number, owner, group) == 0
  }

  /// Sets the time of the last modification, and the access time to now.
  ///
  /// - SeeAlso: futimens(2)
  package borrowing func setModified(_ time: FileStatus.Time) throws(SystemError) {
    let number = number
    let times = [timespec(tv_sec: 0, tv_nsec: FileSystem.now), timespec(time)]
    _ = try systemCall("futimens") { unsafe futimens(number, times) }
  }
}

extension FileSystem {
  /// UTIME_NOW, a macro that Swift does not import.
  fileprivate static let now = (1 << 30) - 1

  /// Gives a symbolic link its owner and modification time, as far as this process may.
  ///
  /// - SeeAlso: fchownat(2), utimensat(2)
  package static func setLinkAttributes(_ path: FilePath, like status: FileStatus) {
    let times = [timespec(tv_sec: 0, tv_nsec: now), timespec(status.modified)]
    unsafe path.withCString { name in
      _ = unsafe fchownat(AT_FDCWD, name, status.owner, status.group, AT_SYMLINK_NOFOLLOW)
      _ = unsafe utimensat(AT_FDCWD, name, times, AT_SYMLINK_NOFOLLOW)
    }
  }

}

extension timespec {
  fileprivate init(_ time: FileStatus.Time) {
    self.init(tv_sec: time.seconds, tv_nsec: time.nanoseconds)
  }
}

extension SystemError {
  /// Whether copy_file_range(2) does not do for these two files.
  fileprivate var isRefusalToCopy: Bool {
    [.crossDevice, .invalid, .noSystemCall, .notSupported, .badDescriptor, .notPermitted]
      .contains(code)
  }
}
