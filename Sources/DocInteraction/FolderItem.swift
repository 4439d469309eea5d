import DesktopPrograms
import DocumentInteraction
import FileCoordination
import Foundation
import LinuxSystem

/// One item of the folder, as the list shows it.
struct FolderItem: Hashable, Sendable {
  let path: FilePath
  let name: String
  let isDirectory: Bool
  let size: String
  let icon: String

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
          icon: isDirectory ? "▸" : symbol(of: DesktopPrograms.type(ofName: name))
        )
      )
    }
    return items.sorted {
      ($0.isDirectory ? 0 : 1, $0.name, $0.path) < ($1.isDirectory ? 0 : 1, $1.name, $1.path)
    }
  }

  /// What stands for the icon where there are only characters.
  private static func symbol(of type: String) -> String {
    switch type.prefix(while: { $0 != "/" }) {
    case "text": "≡"
    case "image": "▣"
    case "audio": "♪"
    case "video": "▶"
    case "font": "A"
    default: DesktopPrograms.isA(type, "text/plain") ? "≡" : "·"
    }
  }
}
