import CArchive
import Glibc
import LinuxSystem

/// libarchive's writer of one zip file.
///
/// Used by one thread.
@safe final class ZipWriter {
  private let archive: OpaquePointer
  private let path: FilePath

  /// Writes to `output`, which must stay open until ``close()``; `path` is for messages.
  init(to output: CInt, _ path: FilePath) throws(ZipArchiveError) {
    guard let archive = unsafe archive_write_new() else {
      throw ZipArchiveError(path, reason: "no memory", code: .noMemory)
    }
    unsafe self.archive = unsafe archive
    self.path = path
    try check(unsafe archive_write_set_format_zip(archive))
    try check(unsafe archive_write_set_bytes_in_last_block(archive, 1))
    try check(unsafe archive_write_open_fd(archive, output))
  }

  deinit { unsafe archive_write_free(archive) }

  func addDirectory(_ name: FilePath, _ status: FileStatus) throws(ZipArchiveError) {
    try addHeader(name, status, type: .directory)
  }

  func addLink(
    _ name: FilePath,
    _ status: FileStatus,
    target: FilePath
  ) throws(ZipArchiveError) {
    try addHeader(name, status, type: .link, target: target)
  }

  /// Adds a file of at most the length that `status` gives, in parts of 64 KiB.
  func addFile(
    _ name: FilePath,
    _ status: FileStatus,
    contents: borrowing Descriptor,
    from source: FilePath
  ) throws(ZipArchiveError) {
    try addHeader(name, status, type: .regular)
    var rest = status.size
    while rest > 0 {
      let part: [UInt8]
      do throws(SystemError) {
        part = try contents.read(upTo: Int(min(rest, 65536)))
      } catch {
        throw ZipArchiveError(source, error)
      }
      if part.isEmpty { break }
      rest -= Int64(part.count)
      try check(
        CInt(
          clamping: unsafe part.withUnsafeBytes {
            unsafe archive_write_data(archive, $0.baseAddress, $0.count)
          }
        )
      )
    }
    // A file that shrank is as long as it was read: sizes are written behind the contents.
    try check(unsafe archive_write_finish_entry(archive))
  }

  /// Writes the archive's own directory, after which nothing can be added.
  func close() throws(ZipArchiveError) {
    try check(unsafe archive_write_close(archive))
  }

  private func addHeader(
    _ name: FilePath,
    _ status: FileStatus,
    type: FileType,
    target: FilePath? = nil
  ) throws(ZipArchiveError) {
    guard let entry = unsafe archive_entry_new() else {
      throw ZipArchiveError(path, reason: "no memory", code: .noMemory)
    }
    defer { unsafe archive_entry_free(entry) }
    unsafe archive_entry_set_filetype(entry, type.rawValue)
    unsafe archive_entry_set_perm(entry, status.permissions)
    unsafe archive_entry_set_mtime(
      entry,
      status.modified.seconds,
      CLong(status.modified.nanoseconds)
    )
    unsafe archive_entry_set_uid(entry, Int64(status.owner))
    unsafe archive_entry_set_gid(entry, Int64(status.group))
    unsafe archive_entry_set_size(entry, type == .regular ? status.size : 0)
    unsafe withCString(name) { unsafe archive_entry_copy_pathname(entry, $0) }
    if let target { unsafe withCString(target) { unsafe archive_entry_copy_symlink(entry, $0) } }
    try check(
      NameEncoding.of(name).whileCurrent { unsafe archive_write_header(archive, entry) }
    )
  }

  /// The type bits of a mode: macros that Swift imports twice.
  private enum FileType: UInt32 {
    case directory = 0o040000
    case link = 0o120000
    case regular = 0o100000
  }

  private func withCString(_ text: FilePath, _ body: (UnsafePointer<CChar>) -> Void) {
    let bytes = text.bytes.map { CChar(bitPattern: $0) } + [0]
    unsafe bytes.withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress { unsafe body(start) }
    }
  }

  /// Turns libarchive's result into an error; warnings (below OK, above FAILED) pass.
  private func check(_ result: CInt) throws(ZipArchiveError) {
    guard result <= ARCHIVE_FAILED else { return }
    let text = unsafe archive_error_string(archive)
    let code = unsafe archive_errno(archive)
    throw ZipArchiveError(
      path,
      reason: unsafe text.map { unsafe String(cString: $0) } ?? "unknown failure",
      code: code > 0 ? Errno(rawValue: code) : nil
    )
  }
}

/// How libarchive marks a name: it asks the locale, which is the host's and says nothing of the name.
private enum NameEncoding {
  case utf8, unknown

  /// A name that is not UTF-8 must not be marked as UTF-8, or readers refuse the whole archive.
  static func of(_ name: FilePath) -> NameEncoding { name.string == nil ? .unknown : .utf8 }

  /// Runs `body` while the calling thread, and no other, has the locale of this encoding.
  ///
  /// - SeeAlso: uselocale(3)
  func whileCurrent<R>(_ body: () -> R) -> R {
    let kept = unsafe Self.locales
    guard let locale = unsafe self == .utf8 ? kept.utf8 : kept.plain else { return body() }
    let before = unsafe uselocale(locale)
    defer { _ = unsafe uselocale(before) }
    return body()
  }

  @unsafe private struct Locales {
    let utf8: locale_t?
    let plain: locale_t?
  }
  // nonisolated(unsafe) because locale objects are never changed after they were made.
  private nonisolated(unsafe) static let locales = unsafe Locales(
    utf8: unsafe newlocale(characterTypes, "C.UTF-8", nil),
    plain: unsafe newlocale(characterTypes, "C", nil)
  )
  /// LC_CTYPE_MASK, a macro that Swift does not import.
  private static let characterTypes: CInt = 1 << 0
}
