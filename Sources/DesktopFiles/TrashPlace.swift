import LinuxSystem

/// One trash: its directory, and the directory that paths in it are relative to, if any.
struct TrashPlace {
  let directory: FilePath
  let top: FilePath?

  /// The user's own trash, if the items of a directory could be renamed into it.
  static func home(
    _ directories: DesktopDirectories,
    for parent: FilePath
  ) throws(SystemError) -> TrashPlace? {
    let home = directories.dataHome.appending("Trash")
    let nearest = try nearest(home)
    guard
      try FileStatus(of: nearest, followingLink: true).device == FileStatus(of: parent).device,
      try FileSystem.mount(of: nearest) == FileSystem.mount(of: parent)
    else { return nil }
    return TrashPlace(directory: home, top: nil)
  }

  /// The trash at the top of the mount that holds a directory, made if there is none.
  ///
  /// - Throws: what the system says where none can be made.
  static func atTop(of parent: FilePath) throws(SystemError) -> TrashPlace {
    let device = try FileStatus(of: parent).device
    let mount = try FileSystem.mount(of: parent)
    var top = parent
    while let above = top.parent, try FileStatus(of: above).device == device,
      try FileSystem.mount(of: above) == mount
    { top = above }
    let user = "\(Environment.user)"
    if let shared = shared(top.appending(".Trash"), user) {
      return TrashPlace(directory: shared, top: top)
    }
    let own = top.appending(".Trash-\(user)")
    try makeOwn(own)
    return TrashPlace(directory: own, top: top)
  }

  /// The user's part of a trash for all users, or nil: there is none that can be trusted.
  ///
  /// Only one that an administrator made counts: a directory, not a link, in which nobody removes
  /// another's. Everybody may write there, so what has our name may be somebody else's.
  private static func shared(_ place: FilePath, _ user: String) -> FilePath? {
    // Whatever keeps it from being used, there is the other one.
    guard let found = try? FileStatus(of: place), found.kind == .directory,
      found.permissions & 0o1000 != 0
    else { return nil }
    let own = place.appending(user)
    do throws(SystemError) { try makeOwn(own) } catch { return nil }
    return own
  }

  /// A directory that only its owner can look into; one that is there must be ours, and no link.
  private static func makeOwn(_ path: FilePath) throws(SystemError) {
    do throws(SystemError) {
      try FileSystem.makeDirectory(path, mode: 0o700)
    } catch  where error.code == .alreadyExists {
      let found = try FileStatus(of: path)
      guard found.kind == .directory, found.owner == Environment.user else {
        throw SystemError("mkdirat", .notPermitted, on: path.description)
      }
    }
  }

  /// The path, or the nearest directory above it that is there.
  private static func nearest(_ path: FilePath) throws(SystemError) -> FilePath {
    var path = path
    while true {
      do throws(SystemError) {
        _ = try FileStatus(of: path, followingLink: true)
        return path
      } catch  where error.code == .noEntry {
        guard let parent = path.parent else { throw error }
        path = parent
      }
    }
  }
}
