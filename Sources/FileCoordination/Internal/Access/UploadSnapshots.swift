import Foundation
import LinuxSystem
import ZipArchive

/// The copies that readers `forUploading` get: a file as it is, a directory as one zip archive.
///
/// Made in a private directory of their own while the claim is held; removed when the accessor
/// returned, unless it moved them away. A process that dies leaves them to the cleaner of /tmp.
final class UploadSnapshots: Sendable {
  private struct State {
    var directory: FilePath?
    var urls: [URL] = []
  }
  private let state = Mutex(State())

  /// What the accessor gets, in the order of the items.
  var urls: [URL] { state.withLock { $0.urls } }

  /// Copies what is read for uploading; the other items keep their URLs.
  ///
  /// - Throws: ``CoordinationError/Code/snapshotFailed``; then the access is abandoned.
  func take(from access: CoordinatedAccess) throws(CoordinationError) -> [URL] {
    var result: [URL] = []
    for (index, (item, url)) in zip(access.items, access.urls).enumerated() {
      guard item.readingOptions.contains(.forUploading), let path = FilePath(url) else {
        result.append(url)
        continue
      }
      do {
        result.append(try copy(path, number: index).url())
      } catch {
        remove()
        access.abandon()
        throw CoordinationError(
          .snapshotFailed,
          url,
          isWriting: false,
          "The snapshot of \(path) for uploading could not be made: \(error).",
          cause: error
        )
      }
    }
    let urls = result
    state.withLock { $0.urls = urls }
    return urls
  }

  /// Removes the copies that are still where they were made.
  func remove() {
    let directory = state.withLock { state in
      defer { state.directory = nil }
      return state.directory
    }
    guard let directory else { return }
    do { try FileSystem.removeTree(directory) } catch {
      Diagnostics.report("the snapshot \(directory) could not be removed: \(error)")
    }
  }

  private func copy(_ path: FilePath, number: Int) throws -> FilePath {
    let folder = try directory().appending("\(number)")
    try FileSystem.makeDirectory(folder)
    let name = path.lastComponent.map(Array.init) ?? Array("root".utf8)
    guard try FileStatus(of: path, followingLink: true).kind == .directory else {
      let copy = folder.appending(name)
      try FileSystem.copyContents(of: path, toNew: copy)
      return copy
    }
    let archive = folder.appending(name + Array(".zip".utf8))
    try ZipArchive.write(directory: path, to: archive)
    return archive
  }

  private func directory() throws(SystemError) -> FilePath {
    if let known = state.withLock({ $0.directory }) { return known }
    let base = Environment.value(of: "TMPDIR") ?? FilePath("/tmp")
    let made = try FileSystem.makeUniqueDirectory(in: base, prefix: "upload-")
    state.withLock { $0.directory = made }
    return made
  }
}
