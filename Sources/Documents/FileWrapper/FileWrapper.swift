import FileCoordination
public import Foundation
import LinuxSystem

/// A file, a directory or a symbolic link as a value in memory, and the way from and to the disk.
///
/// Not `Sendable`: use it on one thread at a time. What reads and writes blocks the calling thread
/// for as long as the file system takes. Files are read when their contents are asked for (see
/// ``ReadingOptions/immediate``); what changed on disk meanwhile is not mixed with what was read: the
/// answer is nil then.
///
/// Wrong use (children of a file, a name with a slash) stops the program with a sentence.
///
/// Apple symbol: FileWrapper.
open class FileWrapper: NSObject, NSSecureCoding {
  enum Content {
    /// Nil until they are asked for.
    case directory(WrapperChildren?)
    case regular(LazyContents)
    case link(FilePath)
  }

  var content: Content
  var origin: FileOrigin
  /// What a client set, or a serialized wrapper had.
  private var ownAttributes: [String: Any]?
  /// Why the children could not be read; set once children were added regardless.
  private var unreadFailure: (any Error)?
  private var preferredName: String?
  private var parents: [WeakParent] = []
  private struct WeakParent { weak let wrapper: FileWrapper? }

  init(_ content: Content, _ origin: FileOrigin, preferredName: String?) {
    self.content = content
    self.origin = origin
    self.preferredName = preferredName
    super.init()
  }

  // MARK: making one

  /// A wrapper of the item at a URL; a symbolic link is not followed.
  ///
  /// - Throws: `CocoaError` 260 for a missing item, 257 without permission, 256 for what is neither
  ///   file, directory nor link, and with ``ReadingOptions/immediate`` for what changed meanwhile.
  ///
  /// Apple symbol: FileWrapper.init(url:options:).
  public init(url: URL, options: ReadingOptions = []) throws {
    content = .regular(LazyContents(Data()))
    origin = FileOrigin()
    super.init()
    try read(from: url, options: options)
  }

  /// A directory in memory with these children; one without a preferred name takes its key as that.
  ///
  /// Apple symbol: FileWrapper.init(directoryWithFileWrappers:).
  public init(directoryWithFileWrappers childrenByPreferredName: [String: FileWrapper]) {
    content = .directory(WrapperChildren())
    origin = FileOrigin()
    super.init()
    // In order, so that the same dictionary always gives the same keys.
    for (name, child) in childrenByPreferredName.sorted(by: { $0.key < $1.key }) {
      if child.preferredFilename == nil { child.preferredFilename = name }
      _ = addFileWrapper(child)
    }
  }

  /// A regular file in memory.
  ///
  /// Apple symbol: FileWrapper.init(regularFileWithContents:).
  public init(regularFileWithContents contents: Data) {
    content = .regular(LazyContents(contents))
    origin = FileOrigin()
    super.init()
  }

  /// A symbolic link in memory; a URL with a base is written relative, any other one absolute.
  ///
  /// - Precondition: A file URL.
  ///
  /// Apple symbol: FileWrapper.init(symbolicLinkWithDestinationURL:).
  public init(symbolicLinkWithDestinationURL url: URL) {
    guard let target = FilePath(linkTarget: url) else {
      preconditionFailure("a symbolic link leads to a file URL, not to \(url)")
    }
    content = .link(target)
    origin = FileOrigin()
    super.init()
  }

  /// What ``serializedRepresentation`` gave; nil for other data.
  ///
  /// Apple symbol: FileWrapper.init(serializedRepresentation:).
  public convenience init?(serializedRepresentation serializeRepresentation: Data) {
    guard let root = WrapperArchive.decode(serializeRepresentation) else { return nil }
    self.init(root.content, root.origin, preferredName: root.preferredName)
    adopt(root)
  }

  /// A wrapper from an archive.
  ///
  /// Apple symbol: FileWrapper.init(coder:).
  public required convenience init?(coder inCoder: NSCoder) {
    let data = inCoder.decodeObject(of: NSData.self, forKey: Self.codingKey)
    guard let data else { return nil }
    self.init(serializedRepresentation: Data(referencing: data))
  }

  /// Encodes the whole tree; nothing where its contents became unreadable.
  ///
  /// Apple symbol: NSCoding.encode(with:).
  open func encode(with aCoder: NSCoder) {
    aCoder.encode(serializedRepresentation.map { $0 as NSData }, forKey: Self.codingKey)
  }

  /// True.
  ///
  /// Apple symbol: NSSecureCoding.supportsSecureCoding.
  public static var supportsSecureCoding: Bool { true }

  private static let codingKey = "FileWrapper"

  // MARK: what it is

  /// Whether it is a directory.
  ///
  /// Apple symbol: FileWrapper.isDirectory.
  open var isDirectory: Bool {
    if case .directory = content { true } else { false }
  }
  /// Whether it is a regular file.
  ///
  /// Apple symbol: FileWrapper.isRegularFile.
  open var isRegularFile: Bool {
    if case .regular = content { true } else { false }
  }
  /// Whether it is a symbolic link.
  ///
  /// Apple symbol: FileWrapper.isSymbolicLink.
  open var isSymbolicLink: Bool {
    if case .link = content { true } else { false }
  }

  /// The name it would like to have in a directory; nil only for one made in memory.
  ///
  /// Setting it takes it out of every directory it is in and adds it again: its key may change.
  ///
  /// - Precondition: Set only to the name of a file: not nil, not empty, without a slash.
  ///
  /// Apple symbol: FileWrapper.preferredFilename.
  open var preferredFilename: String? {
    get { preferredName }
    set {
      if let fault = WrapperName.fault(of: newValue) {
        preconditionFailure("no preferredFilename for a file wrapper: \(fault)")
      }
      let parents = parents.compactMap(\.wrapper)
      for parent in parents { parent.removeFileWrapper(self) }
      preferredName = newValue
      for parent in parents { _ = parent.addFileWrapper(self) }
    }
  }

  /// The name it was read or last written under, as far as that was to be noted.
  ///
  /// Before writing, a child's name is the key its directory has for it.
  ///
  /// Apple symbol: FileWrapper.filename.
  open var filename: String? {
    get { origin.known.filename }
    set { origin.setFilename(newValue) }
  }

  /// Its attributes, by the raw values of `FileAttributeKey`.
  ///
  /// Set permissions and, for regular files, the modification date are written; others are kept only.
  ///
  /// Apple symbol: FileWrapper.fileAttributes.
  open var fileAttributes: [String: Any] {
    get { ownAttributes ?? WrapperAttributes.describe(origin.known.status, isDirectory) }
    set { ownAttributes = newValue }
  }

  // MARK: reading

  /// Becomes what is at a URL; children whose names are there stay the objects they are.
  ///
  /// On an error nothing changes, unless reading what is inside a directory failed.
  ///
  /// - Throws: as ``init(url:options:)``.
  ///
  /// Apple symbol: FileWrapper.read(from:options:).
  open func read(from url: URL, options: ReadingOptions = []) throws {
    guard let path = FilePath(url) else {
      throw FileFailure.make(.fileReadUnsupportedScheme, url, "“\(url)” is not a file URL")
    }
    let found: FoundFile
    do throws(SystemError) { found = try FoundFile(path) } catch {
      throw FileFailure.reading(url, error)
    }
    let known = FileOrigin.Known(
      filename: String(decoding: found.name, as: UTF8.self),
      root: PackageRoot(path),
      status: found.status
    )
    try take(over: found, known)
    if options.contains(.immediate) { try loadAll() }
  }

  /// Becomes a file that was found.
  private func take(over found: FoundFile, _ known: FileOrigin.Known) throws {
    let origin = FileOrigin(known)
    switch found.kind {
    case .regular(let file): become(.regular(LazyContents(file)), origin)
    case .link(let target): become(.link(target), origin)
    case .directory:
      if case .directory(let children?) = content, unreadFailure == nil {
        let inside = try Self.list(known)
        try reconcile(children, with: inside, origin)
      } else {
        become(.directory(nil), origin)
      }
    }
    if preferredName == nil { preferredName = known.filename }
  }

  private func become(_ content: Content, _ origin: FileOrigin) {
    if case .directory(let children?) = self.content {
      for child in children.byKey.values { child.wrapper.forget(parent: self) }
    }
    (self.content, self.origin) = (content, origin)
    (ownAttributes, unreadFailure) = (nil, nil)
  }

  /// Keeps the children that are still there, drops the others and adds what is new.
  private func reconcile(
    _ old: WrapperChildren,
    with inside: [FoundFile],
    _ origin: FileOrigin
  ) throws {
    var known: [[UInt8]: FileWrapper] = [:]
    for (key, child) in old.byKey { known[child.diskName ?? Array(key.utf8)] = child.wrapper }
    become(.directory(WrapperChildren()), origin)
    for found in inside {
      let place = origin.known.child(found.name, found.status)
      let child = known[found.name] ?? FileWrapper(.link(FilePath("")), origin, preferredName: nil)
      try child.take(over: found, place)
      insert(child, diskName: found.name)
    }
  }

  private static func list(_ known: FileOrigin.Known) throws -> [FoundFile] {
    guard let path = known.path, let status = known.status else { return [] }
    do throws(SystemError) {
      if let found = try FoundFile.list(path, status) { return found }
    } catch { throw FileFailure.reading(path.url(isDirectory: true), error) }
    throw FileFailure.make(
      .fileReadUnknown,
      path.url(isDirectory: true),
      "“\(path)” was changed or replaced after the wrapper was made and before its contents were "
        + "read; read it again, or read with .immediate"
    )
  }

  /// The children, read from disk if they were not.
  func loadChildren() throws -> WrapperChildren {
    guard case .directory(let children) = content else {
      preconditionFailure("children of a file wrapper that is no directory: \(self.description)")
    }
    if let unreadFailure { throw unreadFailure }
    if let children { return children }
    let found = try Self.list(origin.known)
    content = .directory(WrapperChildren())
    for found in found {
      let place = FileOrigin(origin.known.child(found.name, found.status))
      let content: Content =
        switch found.kind {
        case .directory: .directory(nil)
        case .regular(let file): .regular(LazyContents(file))
        case .link(let target): .link(target)
        }
      insert(FileWrapper(content, place, preferredName: place.known.filename), diskName: found.name)
    }
    guard case .directory(let loaded?) = content else { return WrapperChildren() }
    return loaded
  }

  private func loadAll() throws {
    switch content {
    case .directory: for child in try loadChildren().byKey.values { try child.wrapper.loadAll() }
    case .regular(let contents): _ = try contents.load(origin.known)
    case .link: break
    }
  }

  /// Whether an item on disk is what this wrapper was read from or written to, by name, kind, size,
  /// identity and modification time, all the way down; bytes are not compared.
  ///
  /// Reads directories that were not read yet. False for a wrapper that was never on disk.
  ///
  /// Apple symbol: FileWrapper.matchesContents(of:).
  open func matchesContents(of url: URL) -> Bool {
    guard let path = FilePath(url) else { return false }
    // What cannot be looked at does not match.
    return (try? WrapperComparison.matches(self, path)) ?? false
  }

  // MARK: writing

  /// Writes the whole tree.
  ///
  /// Files that did not change since they were read, or written with
  /// ``WritingOptions/withNameUpdating``, are linked from `originalContentsURL`, or copied without
  /// reading where the file system has no links; what is changed is written anew, never in place.
  /// If the process dies the item is not there, or partly, without ``WritingOptions/atomic``; with
  /// it, it is whole, old or new, and a directory named `.sb-` and eight digits may be left beside it.
  ///
  /// - Parameters:
  ///   - url: Where to; a directory must not exist, except with ``WritingOptions/atomic``.
  ///   - options: How.
  ///   - originalContentsURL: Where the tree is that this one was read from; nothing need be there.
  /// - Throws: `CocoaError` 516 where there is something already, 640 on a full disk, 642 and 513
  ///   where writing is not allowed, 4 without the directory around it, and what reading a child
  ///   throws that was not read yet. Nothing of the attempt is left then.
  ///
  /// Apple symbol: FileWrapper.write(to:options:originalContentsURL:).
  open func write(
    to url: URL,
    options: WritingOptions = [],
    originalContentsURL: URL?
  ) throws {
    guard let path = FilePath(url) else {
      throw FileFailure.make(.fileWriteUnsupportedScheme, url, "“\(url)” is not a file URL")
    }
    let original = originalContentsURL.flatMap { FilePath($0) }
    let writer = PackageWriter(options, original: original, target: path)
    try writer.write(try plan())
    if options.contains(.withNameUpdating) { noteDiskNames() }
  }

  /// Everything that writing needs, as values: the tree may change while they are written.
  func plan() throws -> WritePlan {
    let kind: WritePlan.Kind
    switch content {
    case .regular(let contents): kind = .regular(contents)
    case .link(let target): kind = .link(target)
    case .directory:
      let entries = try loadChildren().inOrder.map { key, child in
        let old = child.wrapper.filename.map { Array($0.utf8) }
        return WritePlan.Entry(
          name: FilePath(bytes: child.diskName ?? Array(key.utf8)),
          oldName: FilePath(bytes: child.diskName ?? old ?? Array(key.utf8)),
          plan: try child.wrapper.plan()
        )
      }
      kind = .directory(entries)
    }
    let attributes = WrapperAttributes.planned(ownAttributes, origin.known.status, isDirectory)
    return WritePlan(kind: kind, origin: origin, attributes: attributes)
  }

  private func noteDiskNames() {
    guard case .directory(var children?) = content else { return }
    for (key, child) in children.byKey {
      if child.diskName == nil { children.setDiskName(Array(key.utf8), forKey: key) }
      child.wrapper.noteDiskNames()
    }
    content = .directory(children)
  }

  /// The whole tree as data that ``init(serializedRepresentation:)`` takes; nil where contents became
  /// unreadable.
  ///
  /// A format of this module's own: other systems do not read it.
  ///
  /// Apple symbol: FileWrapper.serializedRepresentation.
  open var serializedRepresentation: Data? {
    // Apple's answer to any failure is nil.
    try? WrapperArchive.encode(self)
  }

  // MARK: directories

  /// The children by key; nil where they were not read in time.
  ///
  /// - Precondition: A directory.
  ///
  /// Apple symbol: FileWrapper.fileWrappers.
  open var fileWrappers: [String: FileWrapper]? {
    requireDirectory("fileWrappers")
    // Apple's answer to any failure is nil.
    return (try? loadChildren())?.byKey.mapValues(\.wrapper)
  }

  /// Adds a child; one that is there already stays under its key.
  ///
  /// - Precondition: A directory, and a child with a preferred name that does not contain it.
  /// - Returns: the child's key: its preferred name, or that made unique.
  ///
  /// Apple symbol: FileWrapper.addFileWrapper(_:).
  @discardableResult
  open func addFileWrapper(_ child: FileWrapper) -> String {
    requireDirectory("addFileWrapper(_:)")
    if let fault = WrapperName.fault(of: child.preferredFilename) {
      preconditionFailure("addFileWrapper(_:) needs a child with a preferredFilename: \(fault)")
    }
    precondition(!isInside(child), "addFileWrapper(_:) of a directory that this one is in")
    do { _ = try loadChildren() } catch {
      // Kept, so that what was not read is never taken for an empty directory and saved as one.
      unreadFailure = unreadFailure ?? error
      if case .directory(nil) = content { content = .directory(WrapperChildren()) }
    }
    return insert(child, diskName: nil)
  }

  /// Adds a child under the key it had when the tree was made into bytes.
  func insertDecoded(_ child: FileWrapper, key: String, diskName: [UInt8]?) {
    insert(child, diskName: diskName, key: key)
  }

  @discardableResult
  private func insert(
    _ child: FileWrapper,
    diskName: [UInt8]?,
    key wanted: String? = nil
  ) -> String {
    guard case .directory(var children?) = content else { return "" }
    let isNew = children.key(of: child) == nil
    // Emptied meanwhile, so that it is changed in place.
    content = .directory(nil)
    // A name from the disk is the key; the preferred one may be what a client gave.
    let name =
      wanted ?? diskName.map { String(decoding: $0, as: UTF8.self) } ?? child.preferredName ?? ""
    let key = children.add(child, named: name, diskName: diskName, duplicateNaming)
    content = .directory(children)
    if isNew { child.parents.append(WeakParent(wrapper: self)) }
    return key
  }

  /// Adds a new regular file.
  ///
  /// - Precondition: A directory, and a name of a file.
  /// - Returns: the file's key.
  ///
  /// Apple symbol: FileWrapper.addRegularFile(withContents:preferredFilename:).
  @discardableResult
  open func addRegularFile(
    withContents data: Data,
    preferredFilename fileName: String
  ) -> String {
    if let fault = WrapperName.fault(of: fileName) {
      preconditionFailure("addRegularFile(withContents:preferredFilename:) needs a name: \(fault)")
    }
    let child = FileWrapper(regularFileWithContents: data)
    child.preferredFilename = fileName
    return addFileWrapper(child)
  }

  /// Takes a child out; one that is not there is none of its business.
  ///
  /// - Precondition: A directory.
  ///
  /// Apple symbol: FileWrapper.removeFileWrapper(_:).
  open func removeFileWrapper(_ child: FileWrapper) {
    requireDirectory("removeFileWrapper(_:)")
    guard case .directory(var children?) = content else { return }
    content = .directory(nil)
    let wasThere = children.remove(child)
    content = .directory(children)
    if wasThere { child.forget(parent: self) }
  }

  /// The key of a child, by identity; nil for what is none.
  ///
  /// - Precondition: A directory.
  ///
  /// Apple symbol: FileWrapper.keyForChildFileWrapper(_:).
  open func keyForChildFileWrapper(_ child: FileWrapper) -> String? {
    requireDirectory("keyForChildFileWrapper(_:)")
    guard case .directory(let children?) = content else { return nil }
    return children.key(of: child)
  }

  /// Ours: how keys are made for children whose preferred names are taken.
  public var duplicateNaming = DuplicateNaming.marked

  /// Ours: gives the child with this key new contents, as a new child under the same name.
  ///
  /// - Precondition: A directory.
  /// - Returns: the key of the new child; the same, unless there was no child with this key.
  @discardableResult
  public func replaceRegularFile(forKey key: String, withContents data: Data) -> String {
    let old = fileWrappers?[key]
    if let old { removeFileWrapper(old) }
    let name = old?.preferredFilename ?? key
    let new = FileWrapper(regularFileWithContents: data)
    new.preferredName = name
    if let attributes = old?.ownAttributes { new.ownAttributes = attributes }
    return addFileWrapper(new)
  }

  // MARK: files and links

  /// The bytes of a regular file, read now if they were not; nil where that came too late.
  ///
  /// - Precondition: A regular file.
  ///
  /// Apple symbol: FileWrapper.regularFileContents.
  open var regularFileContents: Data? {
    guard case .regular(let contents) = content else {
      preconditionFailure("regularFileContents of a file wrapper that is no regular file")
    }
    // Apple's answer to any failure is nil.
    return try? contents.load(origin.known)
  }

  /// Where a symbolic link leads; relative to its own directory if it is written so.
  ///
  /// - Precondition: A symbolic link.
  ///
  /// Apple symbol: FileWrapper.symbolicLinkDestinationURL.
  open var symbolicLinkDestinationURL: URL? {
    guard case .link(let target) = content else {
      preconditionFailure("symbolicLinkDestinationURL of a file wrapper that is no symbolic link")
    }
    return target.linkTargetURL(in: origin.known.path?.parent)
  }

  private func requireDirectory(_ call: StaticString) {
    precondition(isDirectory, "\(call) of a file wrapper that is no directory")
  }

  private func forget(parent: FileWrapper) {
    parents.removeAll { $0.wrapper == nil || $0.wrapper === parent }
  }

  /// Whether this is `other` or somewhere in it.
  private func isInside(_ other: FileWrapper) -> Bool {
    self === other || parents.contains { $0.wrapper?.isInside(other) ?? false }
  }

  /// Takes the place of another wrapper, which is given up.
  private func adopt(_ other: FileWrapper) {
    ownAttributes = other.ownAttributes
    guard case .directory(let children?) = content else { return }
    for child in children.byKey.values {
      child.wrapper.forget(parent: other)
      child.wrapper.parents.append(WeakParent(wrapper: self))
    }
  }
}

// MARK: - For documents

extension FileWrapper {
  /// The same tree as of now, for writing while this one goes on changing.
  ///
  /// What writing it finds out (names, times) is known to this one as well.
  package func snapshot() -> FileWrapper {
    let copy = FileWrapper(content, origin, preferredName: preferredFilename)
    copy.setAttributes(like: self)
    guard case .directory(let children?) = content else { return copy }
    copy.content = .directory(WrapperChildren())
    for (key, child) in children.byKey {
      copy.insertSnapshot(of: child.wrapper, key: key, diskName: child.diskName)
    }
    return copy
  }

  private func setAttributes(like other: FileWrapper) {
    ownAttributes = other.ownAttributes
    unreadFailure = other.unreadFailure
  }

  private func insertSnapshot(of child: FileWrapper, key: String, diskName: [UInt8]?) {
    guard case .directory(var children?) = content else { return }
    content = .directory(nil)
    let copy = child.snapshot()
    _ = children.add(copy, named: key, diskName: diskName, .marked)
    content = .directory(children)
  }

  /// The tree that this is the root of was moved; what was not read yet is read from there.
  package func noteMoved(to url: URL) {
    let known = origin.known
    if known.relative == nil, let path = FilePath(url) { known.root?.move(to: path) }
  }
}
