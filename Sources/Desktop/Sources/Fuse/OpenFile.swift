import CFuse
import Glibc

/// A file that is open; closed when nobody has it any more.
public final class OpenFile: Sendable {
  let number: CInt

  init(owning number: CInt) { self.number = number }

  deinit { close(number) }

  /// What is known of it.
  public func status() throws(SystemErrno) -> ItemStatus {
    var status = stat()
    try check { unsafe fstat(number, &status) }
    return ItemStatus(status)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: off_t) throws(SystemErrno) -> Int
  {
    try check { unsafe pread(number, buffer.baseAddress, buffer.count, offset) }
  }

  func write(_ buffer: UnsafeRawBufferPointer, at offset: off_t) throws(SystemErrno) -> Int {
    try check { unsafe pwrite(number, buffer.baseAddress, buffer.count, offset) }
  }

  func sync(dataOnly: Bool) throws(SystemErrno) {
    try check { dataOnly ? fdatasync(number) : fsync(number) }
  }

  func setLength(_ length: off_t) throws(SystemErrno) { try check { ftruncate(number, length) } }

  func setPermissions(_ permissions: mode_t) throws(SystemErrno) {
    try check { fchmod(number, permissions) }
  }

  func setOwner(_ user: uid_t, _ group: gid_t) throws(SystemErrno) {
    try check { fchown(number, user, group) }
  }

  func setTimes(_ times: FileTimes) throws(SystemErrno) {
    try check { unsafe futimens(number, [times.accessed, times.modified]) }
  }

  func allocate(_ mode: CInt, _ offset: off_t, _ length: off_t) throws(SystemErrno) {
    try check { cf_allocate(number, mode, offset, length) }
  }
}

/// When a file was last read and last modified, with the special values of utimensat(2).
public struct FileTimes: Sendable {
  let accessed: timespec
  let modified: timespec
}
