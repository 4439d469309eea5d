import FileCoordination
import Foundation
import Fuse

/// A provider's folder as programs see it that know nothing of placeholders: all items are there.
///
/// Looking fetches nothing; opening a file does, and listing a directory that is not here. Every access
/// to contents is coordinated for the item's path in the folder itself.
final class ProviderFolder: MountedFileSystem {
  let folder: Folder
  private let access: ItemAccess
  private let placeholders: Placeholders
  private let presence: ItemPresence
  private let times = KeptTimes()
  private let whenMounted: @Sendable () -> Void

  init(_ folder: Folder, whenMounted: @escaping @Sendable () -> Void) {
    self.folder = folder
    self.whenMounted = whenMounted
    access = ItemAccess(folder)
    placeholders = Placeholders(folder)
    presence = ItemPresence(in: folder.path)
  }

  func didMount() { whenMounted() }
  func cancelAll() { access.cancelAll() }
  func endAll() { access.endAll() }

  // MARK: what stands where

  /// Whether only a placeholder counts.
  private func isPromised(_ path: ItemPath) -> Bool {
    !access.writes.isWritten(path) && placeholders.standsFor(path)
  }

  /// The names of placeholders are nobody's, and what lies in a directory that is not here is fetched.
  private func enter(_ path: ItemPath) throws(SystemErrno) {
    for name in path.components where Placeholders.isReserved(name) { throw .noEntry }
    for directory in path.ancestors where isPromised(directory) {
      try access.reading(directory) { () throws(SystemErrno) in }
    }
  }

  /// The same for a name that will be made.
  private func enterNew(_ path: ItemPath) throws(SystemErrno) {
    if Placeholders.isReserved(path.name) { throw .notPermitted }
    try enter(path)
    if isPromised(path) { throw .exists }
  }

  // MARK: looking

  func status(of path: ItemPath) throws(SystemErrno) -> ItemStatus {
    try enter(path)
    if !access.writes.isWritten(path), let promise = try placeholders.promise(of: path) {
      return promise
    }
    return times.shown(try folder.status(of: path))
  }

  func status(of item: OpenItem) throws(SystemErrno) -> ItemStatus {
    times.shown(try item.file.status())
  }

  /// Opens a file whose claim is there; what was said of it before goes on as long as it is unchanged.
  private func keepTimes(
    _ path: ItemPath,
    _ open: @escaping @Sendable () throws(SystemErrno) -> OpenFile
  ) throws(SystemErrno) -> @Sendable () throws(SystemErrno) -> OpenFile {
    guard isPromised(path), let promise = try placeholders.promise(of: path) else { return open }
    let times = times
    return { () throws(SystemErrno) in
      let file = try open()
      times.keep(promise, for: try file.status())
      return file
    }
  }

  func openDirectory(_ path: ItemPath) throws(SystemErrno) {
    try enter(path)
    if isPromised(path) { try access.reading(path) { () throws(SystemErrno) in } }
  }

  func list(_ path: ItemPath) throws(SystemErrno) -> [[UInt8]] {
    var seen: Set<[UInt8]> = []
    return try folder.list(path).compactMap { name in
      let shown = Placeholders.item(ofPlaceholder: name) ?? name
      if shown == name, Placeholders.isReserved(name) { return nil }
      return seen.insert(shown).inserted ? shown : nil
    }
  }

  func destination(of link: ItemPath) throws(SystemErrno) -> [UInt8] {
    try enter(link)
    return try folder.destination(of: link)
  }

  // MARK: files

  func open(_ path: ItemPath, _ flags: OpenFlags) throws(SystemErrno) -> OpenItem {
    try enter(path)
    if flags.writes { return try openForWriting(path, flags) }
    let folder = folder
    if let file = try access.openWritten(
      path,
      { () throws(SystemErrno) in try folder.open(path, flags) }
    ) {
      return OpenItem(file) {}
    }
    let presenter = presence.begin(path)
    do throws(SystemErrno) {
      let opening = try keepTimes(path) { () throws(SystemErrno) in try folder.open(path, flags) }
      let file = try access.reading(path, as: presenter, opening)
      return OpenItem(file) { [presence] in presence.end(path) }
    } catch {
      presence.end(path)
      throw error
    }
  }

  private func openForWriting(
    _ path: ItemPath,
    _ flags: OpenFlags
  ) throws(SystemErrno) -> OpenItem {
    let folder = folder
    guard flags.truncates else {
      let opening = try keepTimes(path) { () throws(SystemErrno) in try folder.open(path, flags) }
      return try access.openForWriting(path, [], opening)
    }
    // Nothing of what is not here is needed, so there may be no file yet.
    let permissions = try status(of: path).permissions
    return try access.openForWriting(path, .forReplacing) { () throws(SystemErrno) in
      try folder.open(path, flags.creating, permissions: permissions)
    }
  }

  func create(
    _ path: ItemPath,
    _ flags: OpenFlags,
    permissions: UInt32
  ) throws(SystemErrno) -> OpenItem {
    if Placeholders.isReserved(path.name) { throw .notPermitted }
    try enter(path)
    if isPromised(path) {
      if flags.isExclusive { throw .exists }
      return try open(path, flags)
    }
    let folder = folder
    let isNew = !folder.exists(path)
    return try access.openForWriting(path, []) { () throws(SystemErrno) in
      let file = try folder.open(path, flags.creating, permissions: permissions)
      // As the program said, not as our mask has it.
      if isNew { try folder.setPermissions(of: path, permissions) }
      return file
    }
  }

  func setLength(of path: ItemPath, _ length: Int64) throws(SystemErrno) {
    try enter(path)
    let folder = folder
    if access.writes.isOpen(path) { return try folder.setLength(of: path, length) }
    guard length == 0 else {
      return try access.writing(path, []) { () throws(SystemErrno) in
        try folder.setLength(of: path, length)
      }
    }
    let permissions = try status(of: path).permissions
    try access.writing(path, .forReplacing) { () throws(SystemErrno) in
      try folder.empty(path, permissions: permissions)
    }
  }

  // MARK: names

  func makeDirectory(_ path: ItemPath, permissions: UInt32) throws(SystemErrno) {
    try enterNew(path)
    let folder = folder
    try access.writing(path, []) { () throws(SystemErrno) in
      try folder.makeDirectory(path, permissions: permissions)
    }
  }

  func makeNode(_ path: ItemPath, mode: UInt32, device: UInt64) throws(SystemErrno) {
    try enterNew(path)
    let folder = folder
    try access.writing(path, []) { () throws(SystemErrno) in
      try folder.makeNode(path, mode: mode, device: device)
    }
  }

  func makeLink(_ path: ItemPath, to destination: [UInt8]) throws(SystemErrno) {
    try enterNew(path)
    let folder = folder
    try access.writing(path, []) { () throws(SystemErrno) in
      try folder.makeLink(path, to: destination)
    }
  }

  func makeName(_ path: ItemPath, for item: ItemPath) throws(SystemErrno) {
    try enterNew(path)
    try enter(item)
    let folder = folder
    let body = { @Sendable () throws(SystemErrno) in try folder.makeName(path, for: item) }
    if access.writes.isOpen(item) { return try access.writing(path, [], body) }
    try access.reading(item, writing: path, body)
  }

  func remove(_ path: ItemPath, isDirectory: Bool) throws(SystemErrno) {
    try enter(path)
    access.waitForClosing(path)
    let (folder, placeholders, writes) = (folder, placeholders, access.writes)
    if isDirectory, !isPromised(path), try !list(path).isEmpty { throw .notEmpty }
    if writes.isOpen(path) {
      try folder.remove(path)
      writes.removed(path)
      // Who has it open replaces what the placeholder stands for: with it gone, both are.
      if placeholders.standsFor(path) { try folder.remove(Placeholders.path(for: path)) }
      return
    }
    try access.writing(path, .forDeleting) { () throws(SystemErrno) in
      // For an item that is not here stands an empty file, whatever it would have been.
      let isFile = !isDirectory || placeholders.standsFor(path)
      try folder.remove(path, isDirectory: !isFile)
    }
  }

  func rename(
    _ path: ItemPath,
    to other: ItemPath,
    _ flags: RenameFlags
  ) throws(SystemErrno) {
    if Placeholders.isReserved(other.name) { throw .notPermitted }
    try enter(path)
    try enter(other)
    if flags.raw & 1 != 0, isPromised(other) { throw .exists }
    for item in [path, other] { access.waitForClosing(item) }
    let (folder, writes) = (folder, access.writes)
    let body = { @Sendable () throws(SystemErrno) in
      try folder.rename(path, to: other, flags: flags.raw)
      writes.moved(path, to: other, exchanged: flags.exchanges)
    }
    // What is open for writing is claimed already, and by whom it is renamed may have it open.
    switch (writes.isOpen(path), writes.isOpen(other)) {
    case (true, true): try body()
    case (true, false):
      try access.writing(other, flags.exchanges ? .forMoving : .forReplacing, body)
    case (false, true): try access.writing(path, .forMoving, body)
    case (false, false):
      try access.moving(path, to: other, flags.exchanges ? .forMoving : .forReplacing, body)
    }
  }

  // MARK: attributes

  /// Contents stay as they are: nobody's provider has to hear of it.
  private func changeMetadata(
    of path: ItemPath,
    _ body: @escaping @Sendable () throws(SystemErrno) -> Void
  ) throws(SystemErrno) {
    try enter(path)
    if access.writes.isOpen(path) { return try body() }
    // What is not here has nothing that could be changed.
    try access.writing(path, isPromised(path) ? [] : .contentIndependentMetadataOnly, body)
  }

  func setPermissions(of path: ItemPath, _ permissions: UInt32) throws(SystemErrno) {
    let folder = folder
    try changeMetadata(of: path) { () throws(SystemErrno) in
      try folder.setPermissions(of: path, permissions)
    }
  }

  func setOwner(of path: ItemPath, user: UInt32, group: UInt32) throws(SystemErrno) {
    let folder = folder
    try changeMetadata(of: path) { () throws(SystemErrno) in
      try folder.setOwner(of: path, user: user, group: group)
    }
  }

  func setTimes(of path: ItemPath, _ times: FileTimes) throws(SystemErrno) {
    let folder = folder
    try changeMetadata(of: path) { () throws(SystemErrno) in
      try folder.setTimes(of: path, times)
    }
  }

  func setAttribute(
    _ name: [UInt8],
    of path: ItemPath,
    _ value: [UInt8],
    flags: Int32
  ) throws(SystemErrno) {
    let folder = folder
    try changeMetadata(of: path) { () throws(SystemErrno) in
      try folder.setAttribute(name, of: path, value, flags: flags)
    }
  }

  func removeAttribute(_ name: [UInt8], of path: ItemPath) throws(SystemErrno) {
    let folder = folder
    try changeMetadata(of: path) { () throws(SystemErrno) in
      try folder.removeAttribute(name, of: path)
    }
  }

  /// Of what is not here, the placeholder's.
  func attribute(_ name: [UInt8], of path: ItemPath) throws(SystemErrno) -> [UInt8] {
    try folder.attribute(name, of: shown(path))
  }

  func attributeNames(of path: ItemPath) throws(SystemErrno) -> [UInt8] {
    try folder.attributeNames(of: shown(path))
  }

  private func shown(_ path: ItemPath) throws(SystemErrno) -> ItemPath {
    try enter(path)
    return isPromised(path) ? Placeholders.path(for: path) : path
  }
}
