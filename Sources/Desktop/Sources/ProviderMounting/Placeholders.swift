import DocumentPicker
import Foundation
import Fuse
import Synchronization

/// The files that stand for items whose contents are not here: which there are, and what they say.
final class Placeholders: Sendable {
  private let folder: Folder
  private let known = Mutex<[ItemPath: (stamp: ItemStatus.Stamp, status: ItemStatus)]>([:])
  private static let knownLimit = 10_000

  init(_ folder: Folder) { self.folder = folder }

  private static let start = Array(".".utf8)
  private static let ending = Array(".placeholder".utf8)

  /// The placeholder of an item.
  static func path(for item: ItemPath) -> ItemPath {
    item.parent.appending(start + item.name + ending)
  }

  /// The name of the item that a name's placeholder stands for; nil for what is none.
  static func item(ofPlaceholder name: [UInt8]) -> [UInt8]? {
    guard name.count > ending.count + 1, name.starts(with: start),
      name.suffix(ending.count).elementsEqual(ending)
    else { return nil }
    return Array(name.dropFirst().dropLast(ending.count))
  }

  /// Whether a name is for placeholders only, or for one that is just being written.
  static func isReserved(_ name: [UInt8]) -> Bool {
    if item(ofPlaceholder: name) != nil { return true }
    guard name.starts(with: Array("..".utf8)),
      let dot = name.lastIndex(of: UInt8(ascii: "."))
    else { return false }
    return name.prefix(dot).suffix(ending.count).elementsEqual(ending)
  }

  /// Whether a placeholder stands for an item.
  func standsFor(_ item: ItemPath) -> Bool {
    !item.isRoot && folder.exists(Self.path(for: item))
  }

  /// What an item's placeholder says that the item will be; nil without one.
  func promise(of item: ItemPath) throws(SystemErrno) -> ItemStatus? {
    guard !item.isRoot else { return nil }
    let path = Self.path(for: item)
    let own: ItemStatus
    do throws(SystemErrno) { own = try folder.status(of: path) } catch {
      // Also for a name that is too long to have one.
      return nil
    }
    if let status = known.withLock({ $0[item].flatMap { $0.stamp == own.stamp ? $0.status : nil } })
    {
      return status
    }
    let status = read(path, own)
    known.withLock { known in
      if known.count >= Self.knownLimit { known.removeAll() }
      known[item] = (own.stamp, status)
    }
    return status
  }

  /// Whatever is wrong with a placeholder, there is an item.
  private func read(_ path: ItemPath, _ own: ItemStatus) -> ItemStatus {
    let metadata = NSFileProviderExtension.metadata(ofPlaceholderAt: path.url(in: folder.path))
    let size = metadata[.fileSizeKey] as? Int ?? 0
    let isDirectory = [URLResourceKey.isDirectoryKey, .isPackageKey].contains {
      metadata[$0] as? Bool == true
    }
    return own.promising(
      size: Int64(max(size, 0)),
      modified: (metadata[.contentModificationDateKey] as? Date).flatMap(Self.moment),
      isDirectory: isDirectory,
      mask: CurrentUser.mask
    )
  }

  private static func moment(_ date: Date) -> ItemStatus.Moment? {
    let seconds = date.timeIntervalSince1970
    let whole = seconds.rounded(.down)
    guard let exact = Int(exactly: whole), abs(exact) < 1 << 40 else { return nil }
    return ItemStatus.Moment(seconds: exact, nanoseconds: Int((seconds - whole) * 1e9))
  }
}
