import Foundation
import LinuxSystem

/// Where the item of a bookmark is now.
///
/// In this order: at its old path, if it is the same; wherever its identity is found, in its old
/// directory, in that directory's new place, or below a root that the application gives; at its old
/// path though it is another, as after a save by renaming. A moved item is preferred to whatever
/// took its place, as long as it can be found.
struct BookmarkSearch {
  struct Found {
    let path: FilePath
    let isDirectory: Bool
    /// Whether the bookmark should be made anew.
    let isStale: Bool
  }
  /// Directories looked into below one search root.
  private static let patience = 10_000
  private let bookmark: Bookmark

  init(_ bookmark: Bookmark) { self.bookmark = bookmark }

  func find() -> Found? {
    let now = facts(bookmark.path)
    if let now, let known = bookmark.identity, now.identity.isSame(as: known) {
      return Found(path: bookmark.path, isDirectory: now.kind == .directory, isStale: false)
    }
    if let moved = inOldDirectories() ?? belowRoots() {
      return Found(
        path: moved,
        isDirectory: facts(moved)?.kind == .directory,
        isStale: true
      )
    }
    guard let now else { return nil }
    return Found(path: bookmark.path, isDirectory: now.kind == .directory, isStale: true)
  }

  // What cannot be looked at is not it.
  private func facts(_ path: FilePath) -> FileFacts? { try? FileFacts(of: path) }
  private func identity(_ path: FilePath) -> FileIdentity? { facts(path)?.identity }

  private func inOldDirectories() -> FilePath? {
    guard let known = bookmark.identity else { return nil }
    let places = bookmark.places.all
    for (index, place) in places.enumerated() {
      guard let now = identity(place.path), now.isSame(as: place.identity) else { continue }
      // This directory is where it was: everything below is found from here.
      var path = place.path
      for inner in places[..<index].reversed() {
        guard let next = child(of: path, named: inner.path.lastComponent, inner.identity) else {
          return nil
        }
        path = next
      }
      return child(of: path, named: bookmark.path.lastComponent, known)
    }
    return nil
  }

  /// What has an identity in a directory: under its old name, or else under any.
  private func child(
    of directory: FilePath,
    named name: ArraySlice<UInt8>?,
    _ known: FileIdentity
  ) -> FilePath? {
    if let name {
      let path = directory.appending(name)
      if let now = identity(path), now.isSame(as: known) { return path }
    }
    do throws(SystemError) {
      let opened = try Descriptor.open(directory, [.readOnly, .directory])
      let names = try DirectoryEntry.names(in: opened, withInode: known.inode)
      return names.map { directory.appending($0) }.first { path in
        identity(path)?.isSame(as: known) ?? false
      }
    } catch { return nil }
  }

  private func belowRoots() -> FilePath? {
    guard let known = bookmark.identity else { return nil }
    var left = Self.patience
    var open = FileScope.searchRoots.compactMap { FilePath($0) }
    while let directory = open.popLast(), left > 0 {
      left -= 1
      if let found = child(of: directory, named: nil, known) { return found }
      do throws(SystemError) {
        let opened = try Descriptor.open(directory, [.readOnly, .directory, .noFollow])
        for entry in try FileSystem.entries(of: opened.number) where entry.kind == .directory {
          open.append(directory.appending(entry.name))
        }
      } catch { continue }
    }
    return nil
  }
}
