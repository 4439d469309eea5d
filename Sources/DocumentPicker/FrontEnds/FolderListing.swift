public import DocumentTypes
import FileCoordination
public import Foundation
import LinuxSystem
import ProviderLink

/// What is in a folder, for front ends that show it themselves: items, whether they are here or not.
public struct FolderListing: Sendable {
  /// An item of the folder.
  public struct Item: Sendable, Hashable {
    /// Where it is.
    public let url: URL
    /// What it is called, fit to be shown.
    public let name: String
    /// Whether others are in it.
    public let isFolder: Bool
    /// What it is.
    public let type: UTType
    /// Whether only a placeholder is here.
    public let isPlaceholder: Bool
    /// How large it is; nil where that is not known.
    public let size: Int?
  }

  /// Folders first, by name; hidden items are left out.
  public let items: [Item]

  /// What is in a folder now; blocks for as long as looking takes.
  ///
  /// - Throws: what listing a directory throws.
  public init(of folder: URL) throws {
    guard let path = FilePath(folder) else { throw DocumentPickerError.notFileURL(folder) }
    var found: [Item] = []
    var seen: Set<FilePath> = []
    // Placeholders first: what stands beside one is not whole.
    let names = try FileSystem.list(path).map { path.appending($0) }
    for placeholder in names where Placeholder.isOne(placeholder) {
      guard let item = Placeholder.item(of: placeholder), seen.insert(item).inserted else {
        continue
      }
      let url = item.url()
      found.append(
        Item(
          url: url,
          name: Self.shown(item),
          isFolder: false,
          type: UTType(of: url),
          isPlaceholder: true,
          size: PlaceholderFile.size(at: placeholder)
        )
      )
    }
    for item in names
    where item.lastComponent?.first != UInt8(ascii: ".") && seen.insert(item).inserted {
      // Gone since, or a link to nothing: not shown.
      guard let status = try? FileStatus(of: item, followingLink: true),
        status.kind == .regular || status.kind == .directory
      else { continue }
      let isFolder = status.kind == .directory
      let url = item.url(isDirectory: isFolder)
      found.append(
        Item(
          url: url,
          name: Self.shown(item),
          isFolder: isFolder,
          type: isFolder && url.pathExtension.isEmpty ? .folder : UTType(of: url),
          isPlaceholder: false,
          size: isFolder ? nil : Int(status.size)
        )
      )
    }
    items = found.sorted { a, b in
      if a.isFolder != b.isFolder { return a.isFolder }
      return a.name.localizedStandardCompare(b.name) == .orderedAscending
    }
  }

  /// A name without anything that moves a terminal's cursor.
  private static func shown(_ path: FilePath) -> String {
    DisplayText.clean(String(decoding: path.lastComponent ?? [], as: UTF8.self))
  }
}
