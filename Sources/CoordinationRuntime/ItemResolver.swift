package import LinuxSystem

/// Finds what a path stands for.
///
/// Blocks as long as the file systems on the way do. Keeps nothing between calls: what may be kept,
/// and for how long, only who holds the locks can know.
package struct ItemResolver: Sendable {
  /// The one of this process.
  package static let shared = ItemResolver()

  package init() {}

  /// The identity of what `path` names.
  ///
  /// The directory above is resolved and the last component kept: a link is an item of its own unless
  /// `followingLink`. Where directories are missing (or may not be searched), the longest prefix that
  /// exists is resolved and the rest kept as it is written. Bytes are never folded.
  /// - Throws: EINVAL for a path that is not absolute, ELOOP, ENAMETOOLONG, and I/O errors.
  package func resolve(_ path: FilePath, followingLink: Bool) throws(SystemError) -> ItemIdentity {
    identity(of: try item(path, followingLink: followingLink))
  }

  /// The canonical path of the item that `path` names: for a document that the document portal shows,
  /// that of the file on the host.
  package func item(_ path: FilePath, followingLink: Bool) throws(SystemError) -> FilePath {
    Self.item(at: try canonical(path, followingLink: followingLink))
  }

  /// The item of a path that is canonical already.
  package static func item(at canonical: FilePath) -> FilePath {
    PortalPaths.hostPath(of: canonical) ?? canonical
  }

  /// The canonical path of what `path` names, by which this process reaches it; see
  /// ``resolve(_:followingLink:)``.
  package func canonical(_ path: FilePath, followingLink: Bool) throws(SystemError) -> FilePath {
    guard path.isAbsolute else { throw SystemError("realpath", .invalid).about(path) }
    return try canonical(path, followingLink, depth: 0)
  }

  /// The identity of an item whose canonical path is known already.
  package func identity(of item: FilePath) -> ItemIdentity {
    var packages = PackagePredicate.packages(among: item.ancestors)
    let claimed = packages.first
    if isPackage(item) { packages.append(item) }
    return ItemIdentity(claimed: claimed ?? item, item: item, packages: packages)
  }

  private func isPackage(_ item: FilePath) -> Bool {
    guard let name = item.lastComponent else { return false }
    // A plain file is none, whatever its name; only what may be one costs a second look.
    guard PackagePredicate.isPackageName(name) || PackagePredicate.isMarked(item),
      let status = try? FileStatus(of: item)
    else { return false }
    return status.kind == .directory
  }

  private func canonical(_ path: FilePath, _ followingLink: Bool, depth: Int) throws(SystemError)
    -> FilePath
  {
    guard depth < 40 else { throw SystemError("readlink", .tooManyLinks).about(path) }
    guard let name = path.lastComponent, let parent = path.parent else { return FilePath("/") }
    if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
      // The last component is no name: the item is the directory that it means.
      return try directory(path)
    }
    let item = try directory(parent).appending(name)
    guard followingLink else { return item }
    do throws(SystemError) {
      guard try FileStatus(of: item).kind == .link else { return item }
    } catch  where Self.isMissing(error) {
      return item
    }
    let target = try FileSystem.readLink(item)
    if target.isAbsolute { return try canonical(target, true, depth: depth + 1) }
    guard let base = item.parent else { return item }
    return try canonical(base.appending(target.bytes), true, depth: depth + 1)
  }

  /// The canonical path of a directory, of which the end may be missing.
  private func directory(_ path: FilePath) throws(SystemError) -> FilePath {
    if path.isPlain, Descriptor.isFreeOfLinks(path) == true { return path }
    var prefix = path
    var rest: [ArraySlice<UInt8>] = []
    while true {
      do throws(SystemError) {
        var resolved = try FileSystem.realPath(prefix)
        for name in rest.reversed() { resolved = Self.append(name, to: resolved) }
        return resolved
      } catch  where Self.isMissing(error) {
        guard let name = prefix.lastComponent, let parent = prefix.parent else { throw error }
        rest.append(name)
        prefix = parent
      }
    }
  }

  private static func append(_ name: ArraySlice<UInt8>, to path: FilePath) -> FilePath {
    if name.elementsEqual(".".utf8) { return path }
    if name.elementsEqual("..".utf8) { return path.parent ?? path }
    return path.appending(name)
  }

  private static func isMissing(_ error: SystemError) -> Bool {
    error.code == .noEntry || error.code == .notDirectory || error.code == .permissionDenied
  }
}

extension FilePath {
  /// Whether it is absolute and no component is empty, "." or "..", and no slash ends it.
  package var isPlain: Bool {
    let bytes = bytes
    guard isAbsolute else { return false }
    if bytes.count == 1 { return true }
    return !bytes.dropFirst().split(separator: .slash, omittingEmptySubsequences: false).contains {
      $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
    }
  }
}
