import CoordinationRuntime
package import LinuxSystem
import SQLiteIndex

/// The past of this user's items: `$XDG_DATA_HOME/file-coordination/versions`.
///
/// Contents lie in `contents/`, one name each; an index in SQLite says whose they are. Contents are
/// complete, and flushed, before the index names them, and the index forgets them before they are
/// removed: a process that is killed leaves at most contents without an entry, which the next
/// ``prune(_:)`` removes. Any number of processes. All calls block for file operations; SQLite's lock
/// is held for single transactions only.
package final class VersionStore: Sendable {
  package let directory: FilePath
  private let index: SQLiteDatabase

  private var contents: FilePath { directory.appending("contents") }

  /// The store of this user, opened on first use and again after a fork.
  package static func shared() throws(VersionStoreError) -> VersionStore {
    let directory = try place()
    return try opened.withLock { stores throws(VersionStoreError) in
      // Somebody may have removed it, and its index with it.
      if let store = stores[directory], store.isInPlace { return store }
      let store = try VersionStore(directory)
      stores[directory] = store
      return store
    }
  }
  private static let opened = PerProcess<[FilePath: VersionStore]>([:])

  /// The store of this user if there is one: nothing is made.
  ///
  /// One system call where there is none.
  package static func ifPresent() throws(VersionStoreError) -> VersionStore? {
    let directory = try place()
    // Whatever keeps it from being looked at, there are no versions to be had.
    guard (try? FileStatus(of: directory.appending("index"))) != nil else { return nil }
    return try shared()
  }

  private static func place() throws(VersionStoreError) -> FilePath {
    do throws(SystemError) { return try UserDirectory.data().appending("versions") } catch {
      throw VersionStoreError(.unusable, "there is no place for versions: \(error)", error)
    }
  }

  private let identity: FileStatus
  private var isInPlace: Bool {
    // One that cannot be looked at is opened again, which says why.
    (try? FileStatus(of: directory.appending("index")))?.isSameFile(as: identity) ?? false
  }

  /// Opens a store, making what is missing.
  package init(_ directory: FilePath) throws(VersionStoreError) {
    self.directory = directory
    do {
      try FileSystem.makeDirectories(directory.appending("contents"))
      // SQLite makes files as the umask says; the directory keeps others out.
      index = try SQLiteDatabase(directory.appending("index"))
      try index.execute(Self.schema)
      identity = try FileStatus(of: directory.appending("index"))
    } catch {
      throw VersionStoreError(
        .unusable,
        "the versions in \(directory) cannot be used: \(error)",
        error as? SystemError
      )
    }
  }

  private static let schema = """
    PRAGMA journal_mode = DELETE;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS version (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      item BLOB NOT NULL,
      contents TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      computer TEXT,
      modified_seconds INTEGER NOT NULL,
      modified_nanoseconds INTEGER NOT NULL,
      added INTEGER NOT NULL,
      size INTEGER NOT NULL,
      conflict INTEGER NOT NULL,
      resolved INTEGER NOT NULL,
      discardable INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS version_item ON version (item);
    """

  // MARK: Looking

  /// The versions of an item, oldest first.
  package func versions(of item: FilePath) throws(VersionStoreError) -> [StoredVersion] {
    try rows("WHERE item = ?", [.blob(Array(item.bytes))])
  }

  package func version(_ id: StoredVersion.ID) throws(VersionStoreError) -> StoredVersion? {
    try rows("WHERE id = ?", [.integer(id)]).first
  }

  /// Every version of every item.
  package func all() throws(VersionStoreError) -> [StoredVersion] { try rows("", []) }

  /// Where the contents of a version lie: never to be written.
  package func path(of version: StoredVersion) -> FilePath {
    let holder = contents.appending(version.contents)
    return holder.appending(Self.fileName(version.name))
  }

  /// In a directory of its own, so that it has the name that it had: readers look at extensions.
  private static func fileName(_ name: String) -> String { name.isEmpty ? "contents" : name }

  private static let columns = """
    id, item, contents, name, computer, modified_seconds, modified_nanoseconds, added, size, \
    conflict, resolved, discardable
    """

  private func rows(_ condition: String, _ values: [SQLiteValue]) throws(VersionStoreError)
    -> [StoredVersion]
  {
    try indexing { () throws(SQLiteError) in
      try index.run("SELECT \(Self.columns) FROM version \(condition) ORDER BY id", values)
    }.compactMap(Self.version)
  }

  private static func version(_ row: [SQLiteValue]) -> StoredVersion? {
    guard row.count == 12, let id = row[0].integer, let item = row[1].blob,
      let contents = row[2].text, let name = row[3].text, let seconds = row[5].integer,
      let nanoseconds = row[6].integer, let added = row[7].integer, let size = row[8].integer
    else { return nil }
    return StoredVersion(
      id: id,
      item: FilePath(bytes: item),
      contents: contents,
      name: name,
      computer: row[4].text,
      modified: FileStatus.Time(seconds: Int(seconds), nanoseconds: Int(nanoseconds)),
      added: added,
      size: size,
      isConflict: row[9].integer == 1,
      isResolved: row[10].integer == 1,
      isDiscardable: row[11].integer == 1
    )
  }

  private func indexing<R>(_ body: () throws(SQLiteError) -> R) throws(VersionStoreError) -> R {
    do throws(SQLiteError) { return try body() } catch {
      throw VersionStoreError(.unusable, "the index of versions in \(directory): \(error)")
    }
  }

  // MARK: Adding

  /// What a new version is like.
  package struct Addition: Sendable {
    package var isConflict = false
    package var isDiscardable = false
    package var computer: String?
    /// The source is not needed any more and may be moved.
    package var moves = false
    package init() {}
  }

  /// Adds a version of an item with the contents of another one, which may be the item itself.
  ///
  /// Contents are shared with it where the file system can, else copied; they are never linked: who
  /// writes the source in place must not change the past.
  package func add(
    to item: FilePath,
    contentsOf source: FilePath,
    _ addition: Addition = Addition()
  ) throws(VersionStoreError) -> StoredVersion {
    try add(to: item, addition) { target throws(SystemError) in
      if addition.moves {
        do throws(SystemError) { return try FileSystem.rename(source, to: target) } catch
          where error.code == .crossDevice
        {}
      }
      try FileSystem.duplicate(source, to: target)
      if addition.moves { try FileSystem.removeTree(source) }
    }
  }

  /// Adds a version of an item whose contents `write` makes under the name that it is given.
  package func add(
    to item: FilePath,
    _ addition: Addition = Addition(),
    write: (FilePath) throws(SystemError) -> Void
  ) throws(VersionStoreError) -> StoredVersion {
    let name = item.lastComponent.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let key = Self.key()
    let holder = contents.appending(key)
    let file = holder.appending(Self.fileName(name))
    let guardian = try guardian(.shared)
    let status: FileStatus
    let size: Int64
    do throws(SystemError) {
      try FileSystem.makeDirectory(holder)
      do throws(SystemError) {
        try write(file)
        try FileSystem.synchronizeTree(holder)
        status = try FileStatus(of: file)
        size = try FileSystem.size(of: file)
      } catch {
        // What stays behind has no entry and goes with the next pruning.
        try? FileSystem.removeTree(holder)
        throw error
      }
    } catch {
      throw VersionStoreError(
        .contents,
        "a version of \(item) could not be stored: \(error); the item itself is as it was.",
        error
      )
    }
    let id = try indexing { () throws(SQLiteError) in
      try index.transaction { run throws(SQLiteError) in
        _ = try run(
          """
          INSERT INTO version (item, contents, name, computer, modified_seconds,
            modified_nanoseconds, added, size, conflict, resolved, discardable)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
          """,
          [
            .blob(Array(item.bytes)), .text(key), .text(name),
            addition.computer.map { .text($0) } ?? .null,
            .integer(Int64(status.modified.seconds)),
            .integer(Int64(status.modified.nanoseconds)),
            .integer(Int64(WallClock.seconds)), .integer(size),
            .integer(addition.isConflict ? 1 : 0), .integer(addition.isDiscardable ? 1 : 0),
          ]
        )
        return try run("SELECT last_insert_rowid()", []).first?.first?.integer ?? 0
      }
    }
    withExtendedLifetime(guardian) {}
    guard let version = try version(id) else {
      throw VersionStoreError(.noVersion, "a version of \(item) was removed as it was added")
    }
    return version
  }

  private static func key() -> String {
    let number = UInt64.random(in: .min ... .max)
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// An empty directory on the store's file system; removed by whoever asked, or a day later.
  package func makeWorkDirectory() throws(VersionStoreError) -> FilePath {
    let work = directory.appending("work")
    do throws(SystemError) {
      try FileSystem.makeDirectories(work)
      return try FileSystem.makeUniqueDirectory(in: work, prefix: "")
    } catch {
      throw VersionStoreError(.unusable, "no place for a new version in \(work): \(error)", error)
    }
  }

  /// Held shared while contents have no entry yet, exclusive while such contents are looked for.
  ///
  /// Each holder has a description of its own: they exclude each other in one process too.
  private func guardian(_ mode: LockMode) throws(VersionStoreError) -> SharedDescriptor {
    do throws(SystemError) {
      let own = try Descriptor.open(
        directory.appending("lock"),
        [.readWrite, .create],
        mode: 0o600
      )
      try own.lock(mode)
      return SharedDescriptor(own)
    } catch {
      throw VersionStoreError(.unusable, "the lock of the versions: \(error)", error)
    }
  }

  // MARK: Changing

  /// Marks a conflict version as resolved, or not; says whether that changed anything.
  package func setResolved(_ id: StoredVersion.ID, _ value: Bool) throws(VersionStoreError) -> Bool
  {
    try set("resolved", id, value)
  }

  package func setDiscardable(_ id: StoredVersion.ID, _ value: Bool) throws(VersionStoreError) {
    _ = try set("discardable", id, value)
  }

  private func set(_ column: String, _ id: StoredVersion.ID, _ value: Bool)
    throws(VersionStoreError) -> Bool
  {
    try indexing { () throws(SQLiteError) in
      try index.transaction { run throws(SQLiteError) in
        _ = try run(
          "UPDATE version SET \(column) = ?1 WHERE id = ?2 AND \(column) != ?1",
          [.integer(value ? 1 : 0), .integer(id)]
        )
        return try run("SELECT changes()", []).first?.first?.integer == 1
      }
    }
  }

  /// Removes versions; those that are gone already are no error.
  ///
  /// Returns those that this call removed.
  @discardableResult
  package func remove(_ versions: [StoredVersion]) throws(VersionStoreError) -> [StoredVersion] {
    guard !versions.isEmpty else { return [] }
    let removed = try indexing { () throws(SQLiteError) in
      try index.transaction { run throws(SQLiteError) in
        var removed: [StoredVersion] = []
        for version in versions {
          _ = try run("DELETE FROM version WHERE id = ?", [.integer(version.id)])
          if try run("SELECT changes()", []).first?.first?.integer == 1 { removed.append(version) }
        }
        return removed
      }
    }
    for version in removed {
      // Without an entry they are nobody's: what stays goes with the next pruning.
      try? FileSystem.removeTree(contents.appending(version.contents))
    }
    return removed
  }

  /// An item moved, with all it holds: its versions are found at the new place.
  ///
  /// Versions of what stood there before stay with it as well.
  package func move(_ old: FilePath, to new: FilePath) throws(VersionStoreError) {
    try indexing { () throws(SQLiteError) in
      let prefix = Array(old.bytes) + [.slash]
      let end = Array(old.bytes) + [.slash + 1]
      try index.transaction { run throws(SQLiteError) in
        let rows = try run(
          "SELECT DISTINCT item FROM version WHERE item = ? OR (item > ? AND item < ?)",
          [.blob(Array(old.bytes)), .blob(prefix), .blob(end)]
        )
        for row in rows {
          guard let bytes = row.first?.blob,
            let moved = FilePath(bytes: bytes).rebased(from: old, to: new)
          else { continue }
          _ = try run(
            "UPDATE version SET item = ? WHERE item = ?",
            [.blob(Array(moved.bytes)), .blob(bytes)]
          )
        }
      }
    }
  }

  // MARK: Limits and damage

  /// Removes what exceeds the limits, and contents that a killed process left without an entry.
  ///
  /// Returns the versions that are gone.
  @discardableResult
  package func prune(_ limits: VersionLimits = VersionLimits()) throws(VersionStoreError)
    -> [StoredVersion]
  {
    let doomed = limits.excess(of: try all(), now: Int64(WallClock.seconds))
    let removed = try remove(doomed)
    try sweep()
    return removed
  }

  private func sweep() throws(VersionStoreError) {
    let guardian = try guardian(.exclusive)
    let known = Set(try all().map(\.contents))
    // A directory that cannot be listed cannot be swept: the next pruning tries again.
    for name in (try? FileSystem.list(contents)) ?? [] {
      if known.contains(String(decoding: name, as: UTF8.self)) { continue }
      try? FileSystem.removeTree(contents.appending(name))
    }
    let work = directory.appending("work")
    for name in (try? FileSystem.list(work)) ?? [] {
      let path = work.appending(name)
      guard let status = try? FileStatus(of: path),
        status.changed.seconds + 24 * 3600 < WallClock.seconds
      else { continue }
      try? FileSystem.removeTree(path)
    }
    withExtendedLifetime(guardian) {}
  }

  /// What is wrong with the store, one sentence each; contents without an entry count only if
  /// nobody is adding.
  package func faults() throws(VersionStoreError) -> [String] {
    let guardian = try guardian(.exclusive)
    defer { withExtendedLifetime(guardian) {} }
    var faults = try indexing { () throws(SQLiteError) in try index.run("PRAGMA integrity_check") }
      .compactMap { $0.first?.text }.filter { $0 != "ok" }
    let versions = try all()
    for version in versions where (try? FileStatus(of: path(of: version))) == nil {
      faults.append("version \(version.id) of \(version.item) has no contents")
    }
    let known = Set(versions.map(\.contents))
    for name in (try? FileSystem.list(contents)) ?? [] {
      let name = String(decoding: name, as: UTF8.self)
      if !known.contains(name) { faults.append("contents \(name) belong to no version") }
    }
    return faults
  }
}

extension FileSystem {
  /// Bytes in an item and all it holds.
  static func size(of path: FilePath) throws(SystemError) -> Int64 {
    let status = try FileStatus(of: path)
    guard status.kind == .directory else { return status.size }
    var total: Int64 = 0
    for name in try list(path) { total += try size(of: path.appending(name)) }
    return total
  }
}
