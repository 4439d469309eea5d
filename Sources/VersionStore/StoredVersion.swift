package import LinuxSystem

/// One version of an item, as the index has it.
package struct StoredVersion: Sendable, Hashable {
  package typealias ID = Int64

  /// Never used again, also when the version is gone.
  package let id: ID
  /// The item's canonical path.
  package let item: FilePath
  /// The name of its contents in the store.
  package let contents: String
  /// The item's name when the version was made.
  package let name: String
  /// Which machine's, for people; nil: this one's.
  package let computer: String?
  /// When its contents were last modified: their own time, whatever happened to the item since.
  package let modified: FileStatus.Time
  /// When it was added, in seconds since 1970.
  package let added: Int64
  /// Size of its contents in bytes.
  package let size: Int64
  package let isConflict: Bool
  package let isResolved: Bool
  package let isDiscardable: Bool

  package init(
    id: ID,
    item: FilePath,
    contents: String,
    name: String,
    computer: String?,
    modified: FileStatus.Time,
    added: Int64,
    size: Int64,
    isConflict: Bool,
    isResolved: Bool,
    isDiscardable: Bool
  ) {
    self.id = id
    self.item = item
    self.contents = contents
    self.name = name
    self.computer = computer
    self.modified = modified
    self.added = added
    self.size = size
    self.isConflict = isConflict
    self.isResolved = isResolved
    self.isDiscardable = isDiscardable
  }

  /// The same once its conflict is settled.
  package var asResolved: StoredVersion {
    StoredVersion(
      id: id,
      item: item,
      contents: contents,
      name: name,
      computer: computer,
      modified: modified,
      added: added,
      size: size,
      isConflict: isConflict,
      isResolved: true,
      isDiscardable: isDiscardable
    )
  }
}

/// Why the store did not do what it was asked.
package struct VersionStoreError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    /// No such version (any more).
    case noVersion
    /// The store cannot be used.
    case unusable
    /// The contents could not be read or written.
    case contents
  }
  package let code: Code
  package let description: String
  package let cause: SystemError?

  init(_ code: Code, _ description: String, _ cause: SystemError? = nil) {
    self.code = code
    self.description = description
    self.cause = cause
  }
}
