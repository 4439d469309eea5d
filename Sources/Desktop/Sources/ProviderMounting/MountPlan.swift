import DocumentPicker
import Foundation
import Fuse

/// What is mounted where, looked at before anything is.
struct MountPlan {
  let provider: String
  let folder: Folder
  let mountpoint: String

  /// - Parameters:
  ///   - name: a provider's identifier, or the path of its folder.
  ///   - mountpoint: a directory with nothing in it.
  /// - Throws: what is wrong with one of them.
  init(_ name: String, at mountpoint: String) throws(MountError) {
    let provider = try Self.provider(name)
    guard let storage = provider.documentStorageURL else {
      throw .noFolder(provider.id.rawValue)
    }
    self.provider = provider.id.rawValue
    folder = try Self.open(storage)
    self.mountpoint = try Self.check(mountpoint, folder.path)
  }

  private static func provider(_ name: String) throws(MountError) -> DocumentProviderDescriptor {
    let all = DocumentProviders.all.map(\.provider)
    if let named = all.first(where: { $0.id.rawValue == name && $0.id != .files }) { return named }
    let folder = URL(filePath: name).resolvingSymlinksInPath().path
    guard name.contains("/"),
      let owner = all.first(where: {
        $0.documentStorageURL?.resolvingSymlinksInPath().path == folder
      })
    else { throw .noProvider(name) }
    return owner
  }

  private static func open(_ storage: URL) throws(MountError) -> Folder {
    do {
      // Nobody may have used the provider yet.
      try FileManager.default.createDirectory(at: storage, withIntermediateDirectories: true)
      return try Folder(storage.path)
    } catch {
      throw .folderUnusable(storage.path, SystemErrno(error))
    }
  }

  private static func check(_ place: String, _ folder: [UInt8]) throws(MountError) -> String {
    let opened: Folder
    let names: [[UInt8]]
    do throws(SystemErrno) {
      opened = try Folder(place)
      names = try opened.list(.root)
    } catch {
      throw error == .notADirectory ? .notADirectory(place) : .mountpointUnusable(place, error)
    }
    let (inner, outer) = (ItemPath(opened.path), ItemPath(folder))
    if inner == outer || inner.isInside(outer) || outer.isInside(inner) {
      throw .overlapping(place, folder: outer.description)
    }
    if !names.isEmpty { throw .notEmpty(place) }
    return inner.description
  }
}
