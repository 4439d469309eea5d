import CArchive
import LinuxSystem

/// What libarchive reads out of an archive.
struct ArchiveListing {
  struct Entry {
    let name: [UInt8]
    let mode: UInt32
    let modified: Int
    let target: [UInt8]?
    let contents: [UInt8]
  }
  let entries: [Entry]

  enum Failure: Error { case unreadable(String) }

  init(of path: FilePath) throws {
    let file = try Descriptor.open(path, .readOnly)
    guard let archive = archive_read_new() else { throw Failure.unreadable("no memory") }
    defer { archive_read_free(archive) }
    archive_read_support_format_zip_seekable(archive)
    guard archive_read_open_fd(archive, file.number, 10240) == ARCHIVE_OK else {
      throw Failure.unreadable(String(cString: archive_error_string(archive)))
    }
    var entries: [Entry] = []
    var entry: OpaquePointer?
    while archive_read_next_header(archive, &entry) == ARCHIVE_OK, let entry {
      entries.append(
        Entry(
          name: Self.bytes(archive_entry_pathname(entry)) ?? [],
          mode: archive_entry_mode(entry),
          modified: archive_entry_mtime(entry),
          target: Self.bytes(archive_entry_symlink(entry)),
          contents: try Self.contents(archive)
        )
      )
    }
    self.entries = entries
  }

  subscript(_ name: String) -> Entry? { self[Array(name.utf8)] }
  subscript(_ name: [UInt8]) -> Entry? { entries.first { $0.name == name } }

  private static func contents(_ archive: OpaquePointer) throws -> [UInt8] {
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = archive_read_data(archive, &part, part.count)
      guard count >= 0 else {
        throw Failure.unreadable(String(cString: archive_error_string(archive)))
      }
      if count == 0 { return all }
      all += part.prefix(count)
    }
  }

  private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8]? {
    guard let text else { return nil }
    var result: [UInt8] = []
    var at = text
    while at.pointee != 0 {
      result.append(UInt8(bitPattern: at.pointee))
      at += 1
    }
    return result
  }
}
