import CoordinationRuntime
import LinuxSystem

/// What is known of another process's list; reads only what was appended since.
struct PresenceListReader {
  private var instance: UInt64 = 0
  private var offset = PresenceList.headerLength
  /// What that process presents, by its own numbers.
  private(set) var presented: [UInt64: FilePath] = [:]

  /// What changed since the last reading.
  enum Change {
    case added(FilePath)
    case removed(FilePath)
  }

  /// No list is longer: what lies behind is not read.
  private static let longest = 1 << 30

  /// Brings it up to date with the list in `folder` (a name in `peers`).
  ///
  /// - Throws: ENOENT where the process has no list.
  mutating func refresh(_ folder: FilePath, in peers: borrowing Descriptor)
    throws(SystemError) -> [Change]
  {
    let file = try Descriptor.open(
      folder.appending(PeerFolder.presenters.bytes),
      [.readOnly, .noFollow, .nonBlocking],
      in: peers
    )
    var header = WireReader(try file.read(24, at: 0)[...])
    // A list that does not start as one is nobody's.
    guard let magic = try? header.uint64(), magic == PresenceList.magic,
      let instance = try? header.uint64(), let committed = try? header.uint64()
    else { return drop() }
    var changes: [Change] = []
    if instance != self.instance {
      changes = drop()
      self.instance = instance
    }
    let end = Int(clamping: min(committed, UInt64(Self.longest)))
    while offset < end {
      let part = try file.read(min(end - offset, 1 << 20), at: offset)
      let (records, length) = PresenceList.records(part)
      for record in records {
        changes += apply(record)
      }
      if length == 0 { break }
      offset += length
    }
    return changes
  }

  private mutating func apply(_ record: PresenceList.Record) -> [Change] {
    switch record {
    case .add(let number, let path):
      let old = presented.updateValue(path, forKey: number)
      return (old.map { [.removed($0)] } ?? []) + [.added(path)]
    case .remove(let number):
      return presented.removeValue(forKey: number).map { [.removed($0)] } ?? []
    }
  }

  private mutating func drop() -> [Change] {
    defer { self = PresenceListReader() }
    return presented.values.map(Change.removed)
  }
}
