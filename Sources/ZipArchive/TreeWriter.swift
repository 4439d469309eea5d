import LinuxSystem

/// Walks one directory tree and hands what it finds to a ``ZipWriter``.
///
/// Every step goes from an open directory to one name in it without following links, so that a
/// directory which is swapped for a link during the walk leads nowhere.
struct TreeWriter {
  let writer: ZipWriter
  /// The tree's root, for messages.
  let directory: FilePath
  /// The root's name in the archive.
  let name: [UInt8]
  /// The archive itself, which may lie inside the tree.
  let archive: FileStatus

  /// Where an item stands below the root.
  private struct Place {
    /// The names that lead to it.
    var names: [[UInt8]] = []
    /// Its path in the archive, which starts with the root's name.
    var entry: FilePath

    func appending(_ name: [UInt8]) -> Place {
      Place(names: names + [name], entry: entry.appending(name))
    }
  }

  func write(_ root: SharedDescriptor) throws(ZipArchiveError) {
    let status = try failing(directory) { () throws(SystemError) in
      try root.with { root throws(SystemError) in try FileStatus(of: root) }
    }
    let top = Place(entry: FilePath(bytes: name))
    try writer.addDirectory(top.entry, status)
    var pending = [top]
    while let place = pending.popLast() {
      guard let opened = try open(place, below: root) else { continue }
      for name in try list(opened, place) {
        let here = place.appending(name)
        if try add(look(at: name, in: opened, here), here) { pending.append(here) }
      }
    }
  }

  /// Adds what was found; says whether it is a directory to walk.
  private func add(_ item: consuming TreeItem, _ place: Place) throws(ZipArchiveError) -> Bool {
    switch consume item {
    case .directory(let status):
      try writer.addDirectory(place.entry, status)
      return true
    case .link(let status, let target):
      try writer.addLink(place.entry, status, target: target)
    case .file(let file):
      let status = try failing(path(place)) { () throws(SystemError) in try FileStatus(of: file) }
      if !status.isSameFile(as: archive) {
        try writer.addFile(place.entry, status, contents: file, from: path(place))
      }
    case .nothing: break
    }
    return false
  }

  /// What stands at a name, opened where it is a file.
  private func look(
    at name: [UInt8],
    in opened: SharedDescriptor,
    _ place: Place
  ) throws(ZipArchiveError) -> TreeItem {
    do throws(SystemError) {
      return try TreeItem(FilePath(bytes: name), in: opened)
    } catch {
      if error.isVanishing { return .nothing }
      throw ZipArchiveError(path(place), error)
    }
  }

  /// The directory at `place`, or nil where it vanished.
  private func open(
    _ place: Place,
    below root: SharedDescriptor
  ) throws(ZipArchiveError) -> SharedDescriptor? {
    do throws(SystemError) {
      var current = root
      for name in place.names {
        let next = try current.with { directory throws(SystemError) in
          try Descriptor.open(
            FilePath(bytes: name),
            [.readOnly, .directory, .noFollow],
            in: directory
          )
        }
        current = SharedDescriptor(next)
      }
      return current
    } catch {
      if error.isVanishing { return nil }
      throw ZipArchiveError(path(place), error)
    }
  }

  /// The names in a directory in byte order, so that equal trees make equal archives.
  private func list(
    _ opened: SharedDescriptor,
    _ place: Place
  ) throws(ZipArchiveError) -> [[UInt8]] {
    let names = try failing(path(place)) { () throws(SystemError) in
      // Opened anew: a duplicate would share the place where reading the directory stands.
      let own = try opened.with { directory throws(SystemError) in
        try Descriptor.open(FilePath("."), [.readOnly, .directory], in: directory)
      }
      return try FileSystem.list(own, named: path(place))
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The item's path as it was reached, for messages.
  private func path(_ place: Place) -> FilePath {
    place.entry.rebased(from: FilePath(bytes: name), to: directory) ?? directory
  }
}

/// One item of the tree, as it is put into the archive.
private enum TreeItem: ~Copyable {
  case directory(FileStatus)
  case link(FileStatus, target: FilePath)
  case file(Descriptor)
  /// Vanished, or of a kind that archives do not hold.
  case nothing

  init(_ name: FilePath, in directory: SharedDescriptor) throws(SystemError) {
    // A name may change its kind between two calls; then look again, but not for ever.
    for _ in 0..<8 {
      let status = try FileStatus(of: name, at: directory.number)
      do throws(SystemError) {
        switch status.kind {
        case .directory:
          self = .directory(status)
          return
        case .link:
          self = .link(status, target: try FileSystem.readLink(name, at: directory.number))
          return
        case .regular:
          // Not blocking: what became a FIFO meanwhile must not hold us up.
          let file = try directory.with { directory throws(SystemError) in
            try Descriptor.open(name, [.readOnly, .noFollow, .nonBlocking], in: directory)
          }
          if try FileStatus(of: file).kind != .regular { continue }
          self = .file(file)
          return
        case .other:
          self = .nothing
          return
        }
      } catch  where error.code == .invalid || error.code == .tooManyLinks {
        continue
      }
    }
    self = .nothing
  }
}

extension SystemError {
  /// Whether it means that the item went away, or became something else, during the walk.
  fileprivate var isVanishing: Bool {
    code == .noEntry || code == .notDirectory || code == .tooManyLinks
  }
}
