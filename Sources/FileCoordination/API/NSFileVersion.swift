public import Foundation
import CoordinationRuntime
package import LinuxSystem
import SafeSaving
package import VersionStore

/// One version of a file: the one that stands there now, one that was kept, or the text of somebody
/// else that is in conflict with it.
///
/// Kept versions lie in the user's own store (`$XDG_DATA_HOME/file-coordination/versions`), which any
/// number of processes use at once; they follow an item that moves under coordination, or while a
/// process presents it. The calls block for file operations. They coordinate nothing: call those that
/// change something inside a coordinated write. Presenters of the item hear of versions that are
/// gained, lost and resolved.
///
/// Apple symbol: NSFileVersion.
open class NSFileVersion: NSObject {
  private enum Kind: Sendable {
    case current(modified: FileStatus.Time, isConflict: Bool)
    case stored(StoredVersion)
  }
  private let kind: Kind
  private let location: URL
  private let resolved: Mutex<Bool>
  private let discardable: Mutex<Bool>

  /// The contents of a kept version, which nobody else may write.
  init(_ version: StoredVersion) {
    kind = .stored(version)
    // Without a store there is no such version, and its contents are nowhere.
    let path = try? VersionStore.shared().path(of: version)
    location = (path ?? version.item).urlOnDisk
    resolved = Mutex(!version.isConflict || version.isResolved)
    discardable = Mutex(version.isDiscardable)
    super.init()
  }

  private init(current url: URL, _ modified: FileStatus.Time, isConflict: Bool) {
    kind = .current(modified: modified, isConflict: isConflict)
    location = url
    resolved = Mutex(!isConflict)
    discardable = Mutex(false)
    super.init()
  }

  private static func item(_ url: URL) throws(SystemError) -> FilePath {
    guard let path = FilePath(url) else { throw SystemError("realpath", .invalid, on: "\(url)") }
    return try ItemResolver.shared.canonical(path, followingLink: false)
  }

  private static func stored(_ url: URL) -> [StoredVersion]? {
    do {
      guard let store = try VersionStore.ifPresent() else { return [] }
      return try store.versions(of: item(url))
    } catch {
      Diagnostics.report("the versions of \(url.path): \(error)")
      return nil
    }
  }

  // MARK: Looking

  /// The version that stands at a URL now; nil if nothing does.
  open class func currentVersionOfItem(at url: URL) -> NSFileVersion? {
    // What cannot be looked at has no version that could be used.
    guard let path = FilePath(url), let status = try? FileStatus(of: path) else { return nil }
    let isConflict = stored(url)?.contains { $0.isConflict && !$0.isResolved } ?? false
    return NSFileVersion(current: url, status.modified, isConflict: isConflict)
  }

  /// All other versions of the item, oldest first, conflict versions among them.
  ///
  /// Nil, and a line on standard error, if the store cannot be read.
  open class func otherVersionsOfItem(at url: URL) -> [NSFileVersion]? {
    stored(url)?.map { NSFileVersion($0) }
  }

  /// The versions that are in conflict with the current one and not resolved yet, oldest first.
  ///
  /// Nil, and a line on standard error, if the store cannot be read.
  open class func unresolvedConflictVersionsOfItem(at url: URL) -> [NSFileVersion]? {
    stored(url)?.filter { $0.isConflict && !$0.isResolved }.map { NSFileVersion($0) }
  }

  /// The version that gave itself this ``persistentIdentifier``; nil once it is gone.
  open class func version(
    ofItemAt url: URL,
    forPersistentIdentifier persistentIdentifier: Any
  ) -> NSFileVersion? {
    guard let text = persistentIdentifier as? String else { return nil }
    if text == currentIdentifier { return currentVersionOfItem(at: url) }
    guard let id = StoredVersion.ID(text),
      let version = stored(url)?.first(where: { $0.id == id })
    else { return nil }
    return NSFileVersion(version)
  }

  /// Versions whose contents are elsewhere: on this system there are none.
  ///
  /// The handler is called on the main queue.
  open class func getNonlocalVersionsOfItem(
    at url: URL,
    completionHandler: @escaping @Sendable ([NSFileVersion]?, (any Error)?) -> Void
  ) {
    OperationQueue.main.addOperation { completionHandler([], nil) }
  }

  // MARK: Adding and removing

  /// What happens to the contents that become a version.
  ///
  /// Apple symbol: NSFileVersion.AddingOptions.
  public struct AddingOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt
    /// Options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// They are moved into the store, not copied.
    public static let byMoving = AddingOptions(rawValue: 1)
  }

  /// What happens to the version that takes an item's place.
  ///
  /// Apple symbol: NSFileVersion.ReplacingOptions.
  public struct ReplacingOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt
    /// Options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The version is used up: it is not in the store any more afterwards.
    public static let byMoving = ReplacingOptions(rawValue: 1)
  }

  /// Keeps contents as a version of an item.
  ///
  /// They are shared with the source where the file system can, else copied, and complete on the
  /// device when this returns; a process that dies midway leaves no version.
  /// - Parameters:
  ///   - url: The item; it need not exist.
  ///   - contentsURL: The contents; may be the item itself.
  ///   - options: Whether they are moved.
  /// - Returns: the version.
  /// - Throws: an error in `NSCocoaErrorDomain`: 260 without contents, 640 when the disk is full.
  @discardableResult
  open class func addOfItem(
    at url: URL,
    withContentsOf contentsURL: URL,
    options: AddingOptions = []
  ) throws -> NSFileVersion {
    var addition = VersionStore.Addition()
    addition.moves = options.contains(.byMoving)
    return try add(url, contentsURL, addition)
  }

  /// Makes somebody else's text up, in conflict with the item: a hook for tests of applications.
  ///
  /// What happens to the item's presenters is what happens when there is a real conflict. The
  /// contents are copied.
  /// - Parameters:
  ///   - url: The item.
  ///   - contentsURL: The text, which is copied.
  ///   - computer: Whose it seems to be.
  /// - Returns: the version.
  /// - Throws: as ``addOfItem(at:withContentsOf:options:)``.
  @discardableResult
  public class func addConflictVersionOfItem(
    at url: URL,
    withContentsOf contentsURL: URL,
    savingComputer computer: String? = nil
  ) throws -> NSFileVersion {
    var addition = VersionStore.Addition()
    addition.isConflict = true
    addition.computer = computer
    return try add(url, contentsURL, addition)
  }

  private class func add(
    _ url: URL,
    _ contentsURL: URL,
    _ addition: VersionStore.Addition
  ) throws -> NSFileVersion {
    do {
      guard let source = FilePath(contentsURL) else {
        throw SystemError("openat", .invalid, on: "\(contentsURL)")
      }
      return NSFileVersion(try keep(item(url), contentsOf: source, addition))
    } catch let error as VersionStoreError {
      throw error.nsError(at: url, isWriting: error.cause?.code != .noEntry)
    } catch let error as SystemError {
      throw NSError.file(error, at: url, isWriting: false)
    }
  }

  /// Keeps contents as a version and tells the presenters.
  package static func keep(
    _ item: FilePath,
    contentsOf source: FilePath,
    _ addition: VersionStore.Addition
  ) throws(VersionStoreError) -> StoredVersion {
    let store = try VersionStore.shared()
    let version = try store.add(to: item, contentsOf: source, addition)
    announceGain(version, store)
    return version
  }

  package static func announceGain(_ version: StoredVersion, _ store: VersionStore) {
    VersionNotice(.gained, version).announce()
    guard version.id % 32 == 0 else { return }
    do {
      try BlockingThread.start("fc-prune") {
        do throws(VersionStoreError) {
          for lost in try store.prune() { VersionNotice(.lost, lost).announce() }
        } catch { Diagnostics.report("versions were not pruned: \(error)") }
      }
    } catch { Diagnostics.report("versions were not pruned: \(error)") }
  }

  /// A new directory for contents that become a version with ``AddingOptions/byMoving``.
  ///
  /// On the store's own file system, so that they need not be copied. The caller removes it. If the
  /// store cannot be used, a directory below the user's temporary one.
  open class func temporaryDirectoryURLForNewVersionOfItem(at url: URL) -> URL {
    do {
      return try VersionStore.shared().makeWorkDirectory().url(isDirectory: true)
    } catch {
      Diagnostics.report("no place for a new version of \(url.path): \(error)")
      return FileManager.default.temporaryDirectory.appending(
        component: UUID().uuidString,
        directoryHint: .isDirectory
      )
    }
  }

  /// Removes all versions of an item but the current one, unresolved conflict versions too.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` if the store cannot be used.
  open class func removeOtherVersionsOfItem(at url: URL) throws {
    do {
      guard let store = try VersionStore.ifPresent() else { return }
      let removed = try store.remove(try store.versions(of: item(url)))
      for version in removed { VersionNotice(.lost, version).announce() }
    } catch let error as VersionStoreError {
      throw error.nsError(at: url, isWriting: true)
    } catch let error as SystemError {
      throw NSError.file(error, at: url, isWriting: true)
    }
  }

  // MARK: One version

  private static let currentIdentifier = "current"

  /// Where its contents are: read them, inside a coordinated read; never write them.
  open var url: URL { location }

  /// The item's name when the version was made, without an extension.
  open var localizedName: String? {
    switch kind {
    case .current: location.deletingPathExtension().lastPathComponent
    case .stored(let version): (version.name as NSString).deletingPathExtension
    }
  }

  /// The computer on which it was made.
  open var localizedNameOfSavingComputer: String? {
    if case .stored(let version) = kind, let computer = version.computer { return computer }
    return ProcessInfo.processInfo.hostName
  }

  /// Who made it: not known on this system.
  open var originatorNameComponents: PersonNameComponents? { nil }

  /// When its own contents were modified, whatever happened to the item since.
  open var modificationDate: Date? {
    let time =
      switch kind {
      case .current(let modified, _): modified
      case .stored(let version): version.modified
      }
    return Date(
      timeIntervalSince1970: TimeInterval(time.seconds) + TimeInterval(time.nanoseconds) / 1e9
    )
  }

  /// What finds it again in ``version(ofItemAt:forPersistentIdentifier:)``; can be archived.
  open var persistentIdentifier: any NSCoding {
    switch kind {
    case .current: Self.currentIdentifier as NSString
    case .stored(let version): "\(version.id)" as NSString
    }
  }

  /// Whether its contents are in conflict with those of another version.
  open var isConflict: Bool {
    switch kind {
    case .current(_, let isConflict): isConflict
    case .stored(let version): version.isConflict
    }
  }

  /// Whether the conflict is settled; set it to true to say so.
  ///
  /// Then ``unresolvedConflictVersionsOfItem(at:)`` does not return it any more, and it may be pruned.
  /// Setting it to false has no effect, and neither has setting it on a version that is gone.
  open var isResolved: Bool {
    get { resolved.withLock { $0 } }
    set {
      guard newValue else { return }
      resolved.withLock { $0 = true }
      guard case .stored(let version) = kind else { return }
      do throws(VersionStoreError) {
        guard let store = try VersionStore.ifPresent(),
          try store.setResolved(version.id, true)
        else { return }
        VersionNotice(.resolved, version.asResolved).announce()
      } catch { Diagnostics.report("a conflict of \(version.item) is not marked: \(error)") }
    }
  }

  /// Whether it goes first when room is needed.
  open var isDiscardable: Bool {
    get { discardable.withLock { $0 } }
    set {
      guard case .stored(let version) = kind else { return }
      discardable.withLock { $0 = newValue }
      do throws(VersionStoreError) {
        try VersionStore.ifPresent()?.setDiscardable(version.id, newValue)
      } catch { Diagnostics.report("a version of \(version.item) is not marked: \(error)") }
    }
  }

  /// Whether its contents are on this machine: always.
  open var hasLocalContents: Bool { true }

  /// Whether there is a picture of it: never.
  open var hasThumbnail: Bool { false }

  /// Gives an item this version's contents; afterwards it has the complete old or the complete new.
  ///
  /// Mode, owner, attributes and access control list of the item stay; the modification time is the
  /// version's. Not for the current version.
  /// - Parameters:
  ///   - url: The item, in most cases that of which this is a version.
  ///   - options: Whether the version is used up.
  /// - Returns: the URL of the item.
  /// - Throws: an error in `NSCocoaErrorDomain`; 260 if the version is gone.
  @discardableResult
  open func replaceItem(at url: URL, options: ReplacingOptions = []) throws -> URL {
    guard case .stored(let version) = kind else { return url }
    do {
      guard let store = try VersionStore.ifPresent(), try store.version(version.id) != nil,
        let path = FilePath(url)
      else { throw gone(version, url) }
      let source = store.path(of: version)
      _ = try SafeReplacement(of: path).perform(write: { new, _ in
        try FileSystem.duplicate(source, to: new)
      })
      if options.contains(.byMoving) { try take(version, from: store) }
      return url
    } catch let error as VersionStoreError {
      throw error.nsError(at: url, isWriting: true)
    } catch let error as SystemError {
      throw NSError.file(error, at: url, isWriting: true)
    }
  }

  /// Removes this version from the store; not the current one.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain`; 260 if it is gone already, 512 for the current one.
  open func remove() throws {
    guard case .stored(let version) = kind else {
      throw NSError.file(
        SystemError("unlinkat", .invalid),
        at: location,
        isWriting: true,
        "the current version of \(location.path) is the file itself; delete that, under a write."
      )
    }
    do throws(VersionStoreError) {
      guard let store = try VersionStore.ifPresent() else { return }
      try take(version, from: store)
    } catch { throw error.nsError(at: location, isWriting: true) }
  }

  private func take(_ version: StoredVersion, from store: VersionStore) throws(VersionStoreError) {
    for version in try store.remove([version]) { VersionNotice(.lost, version).announce() }
  }

  private func gone(_ version: StoredVersion, _ url: URL) -> NSError {
    .file(
      SystemError("openat", .noEntry),
      at: url,
      isWriting: false,
      "this version of \(version.item) is not there any more; \(url.path) was not changed."
    )
  }

  // MARK: Equality

  /// Whether both are the same version of the same item.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFileVersion else { return false }
    switch (kind, other.kind) {
    case (.current, .current): return location == other.location
    case (.stored(let a), .stored(let b)): return a.id == b.id
    default: return false
    }
  }

  open override var hash: Int {
    switch kind {
    case .current: location.hashValue
    case .stored(let version): version.id.hashValue
    }
  }
}
