import Foundation
import LinuxSystem

/// Bookmarks as files.
enum BookmarkFile {
  private static let limit = 1 << 20

  static func write(_ data: Data, to url: URL) throws {
    guard let bookmark = try? Bookmark(decoding: data), bookmark.flags.contains(.forFiles) else {
      throw BookmarkFailure.notForFiles.error(
        url,
        "only a bookmark made with .suitableForBookmarkFile can be written to a file"
      )
    }
    // Derived data, never a document: what Foundation writes is enough.
    try data.write(to: url, options: .atomic)
  }

  /// The bookmark in a file; nil for an item that is something else.
  static func readIfBookmark(_ url: URL) throws -> Data? {
    guard let path = FilePath(url) else { return nil }
    do throws(SystemError) {
      let status = try FileStatus(of: path)
      guard status.kind == .regular, status.size <= limit else { return nil }
      let bytes = try Descriptor.open(path, [.readOnly, .noFollow]).readToEnd()
      let data = Data(bytes)
      // What does not decode is some other file.
      return (try? Bookmark(decoding: data)) == nil ? nil : data
    } catch {
      throw BookmarkFailure.making(url, error)
    }
  }
}
