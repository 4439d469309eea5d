import DesktopPrograms
import DocumentInteraction
import FileCoordination
public import Foundation
package import LinuxSystem

/// One item of the folder, as a list shows it.
public struct FolderItem: Hashable, Sendable {
  package let path: FilePath
  /// Its name, as it is: control characters and all.
  public let name: String
  /// Whether it is a folder, or a link to one.
  public let isDirectory: Bool
  /// Its size as people read it; empty for a folder.
  public let size: String
  /// Its MIME type, as far as its name tells.
  public let mimeType: String

  /// Where it is.
  public var url: URL { path.urlOnDisk }
  /// The names of its icon in the icon theme, the best first.
  public var iconNames: [String] { DesktopPrograms.iconNames(for: mimeType) }

  /// The items of a folder, folders first, then by name; blocks.
  ///
  /// - Throws: what the system says of the folder; an item that vanishes meanwhile is left out.
  static func all(in folder: FilePath) throws(SystemError) -> [FolderItem] {
    var items: [FolderItem] = []
    for bytes in try FileSystem.list(folder) where bytes.first != UInt8(ascii: ".") {
      let path = folder.appending(bytes)
      let isLinkToNothing = (try? FileStatus(of: path, followingLink: true)) == nil
      guard let status = try? FileStatus(of: path, followingLink: !isLinkToNothing) else {
        continue
      }
      let name = String(decoding: bytes, as: UTF8.self)
      let isDirectory = status.kind == .directory
      items.append(
        FolderItem(
          path: path,
          name: name,
          isDirectory: isDirectory,
          size: isDirectory ? "" : ByteCount.text(status.size),
          mimeType: isDirectory ? "inode/directory" : DesktopPrograms.type(ofName: name)
        )
      )
    }
    return items.sorted {
      ($0.isDirectory ? 0 : 1, $0.name, $0.path) < ($1.isDirectory ? 0 : 1, $1.name, $1.path)
    }
  }
}
