import CoordinationRuntime
import FileCoordination
import Foundation
import LinuxSystem

/// Which files were given to an application, kept between its runs.
///
/// A file below `$XDG_STATE_HOME/file-coordination/grants`, out of the application's reach; written
/// under a temporary name and renamed in.
final class GrantStore: Sendable {
  struct Grant: Codable, Sendable {
    var path: Data
    var writable: Bool
    /// Names that the document portal gave it.
    var documents: [String]
    /// By which it is found after a rename; nil in what was granted before there were any.
    var bookmark: Data?

    var place: FilePath { FilePath(bytes: path) }

    /// Where it is now; nil where it cannot be found.
    var placeNow: FilePath? {
      guard let bookmark else { return nil }
      var isStale = false
      // What cannot be resolved is not found.
      let url = try? URL(
        resolvingBookmarkData: bookmark,
        options: .withoutImplicitStartAccessing,
        bookmarkDataIsStale: &isStale
      )
      return url.flatMap { FilePath($0) }
    }
  }
  private let file: FilePath
  private let grants: Mutex<[Grant]>

  init(application: String) throws(SandboxError) {
    do {
      let directory = try UserDirectory.state().appending("grants")
      try FileSystem.makeDirectories(directory)
      file = directory.appending("\(application).json")
      grants = Mutex(try Self.read(file))
    } catch {
      throw .cannotStart("what was given to “\(application)” cannot be read: \(error)")
    }
  }

  private static func read(_ file: FilePath) throws -> [Grant] {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Descriptor.open(file, [.readOnly, .noFollow]).readToEnd()
    } catch  where error.code == .noEntry { return [] }
    return try JSONDecoder().decode([Grant].self, from: Data(bytes))
  }

  /// The grant of a file, or of a folder that it is in.
  func grant(of path: FilePath) -> Grant? {
    grants.withLock { grants in
      grants.last { $0.place == path } ?? grants.last { path.isInside($0.place) }
    }
  }

  /// The grant of a file that was renamed since, or its folder was, and where the file is now; it may be
  /// asked for by its old path or its new one.
  ///
  /// From now on it is the grant of that path. Blocks for a look at every file that was given.
  func followed(_ path: FilePath) throws -> (grant: Grant, path: FilePath)? {
    for grant in grants.withLock({ $0 }) {
      guard let now = grant.placeNow, now != grant.place else { continue }
      let wanted = path.rebased(from: grant.place, to: now) ?? path
      guard wanted == now || wanted.isInside(now) else { continue }
      try change { grants in
        guard let at = grants.firstIndex(where: { $0.place == grant.place }) else { return }
        grants[at].path = Data(now.bytes)
      }
      return (grant, wanted)
    }
    return nil
  }

  func add(_ path: FilePath, writable: Bool, document: String?) throws {
    // Without one it is not followed, and that is all.
    let bookmark = try? path.urlOnDisk.bookmarkData(options: .withoutImplicitSecurityScope)
    try change { grants in
      if let at = grants.firstIndex(where: { $0.place == path }) {
        grants[at].writable = writable
        grants[at].bookmark = bookmark
        if let document, !grants[at].documents.contains(document) {
          grants[at].documents.append(document)
        }
      } else {
        grants.append(
          Grant(
            path: Data(path.bytes),
            writable: writable,
            documents: document.map { [$0] } ?? [],
            bookmark: bookmark
          )
        )
      }
    }
  }

  /// Takes a grant back; nil where there was none.
  func remove(_ path: FilePath) throws -> Grant? {
    var gone: Grant?
    try change { grants in
      guard let at = grants.firstIndex(where: { $0.place == path }) else { return }
      gone = grants.remove(at: at)
    }
    return gone
  }

  private func change(_ body: (inout [Grant]) -> Void) throws {
    // Written under the lock: two changes must not swap their files. Nobody waits here for long.
    try grants.withLock { grants in
      var new = grants
      body(&new)
      let own = FilePath("\(file).\(UInt64.random(in: 0...UInt64.max))")
      do {
        let target = try Descriptor.open(own, [.writeOnly, .create, .exclusive])
        try target.write(Array(try JSONEncoder().encode(new)))
        try target.synchronize()
        try FileSystem.rename(own, to: file)
      } catch {
        try? FileSystem.removeFile(own)  // a leftover, no more
        throw error
      }
      grants = new
    }
  }
}
