import LinuxSystem

/// What was last seen of the names in one directory.
///
/// A hundred thousand names must fit into a few megabytes: one block for all names of a directory and
/// one for their states, instead of a dictionary of arrays. A directory that was only listed keeps
/// the listing until a name in it matters.
struct EntryTable {
  private struct Record {
    var state: EntryState
    let start: UInt32
    let length: UInt16
    var isThere = true
    /// Of the last look that found it.
    var stamp: UInt8 = 0
  }

  private var records: [Record] = []
  private var text: [UInt8] = []
  /// A hash table of record numbers plus one; empty as long as going through all is as fast.
  private var slots: [UInt32] = []
  private var gone = 0
  private var stamp: UInt8 = 0
  private var listing: DirectoryListing?
  private var device: UInt64 = 0

  /// Without names.
  init() {}

  /// What a listing says, of a directory on `device`.
  init(_ listing: DirectoryListing, device: UInt64) {
    self.listing = listing
    self.device = device
  }

  var isEmpty: Bool { listing == nil && records.count == gone }

  /// Whether it is a listing still.
  var isListing: Bool { listing != nil }

  subscript(name: Name) -> EntryState? {
    mutating get {
      unpack()
      guard let number = find(name), records[number].isThere else { return nil }
      return records[number].state
    }
    set {
      unpack()
      let number = find(name)
      switch (number, newValue) {
      case (nil, nil): return
      case (let number?, nil):
        if records[number].isThere { gone += 1 }
        records[number].isThere = false
        tidyUp()
      case (let number?, let state?):
        if !records[number].isThere { gone -= 1 }
        records[number].isThere = true
        records[number].state = state
        records[number].stamp = stamp
      case (nil, let state?): append(name[...], state)
      }
    }
  }

  /// All names, in no order.
  var names: [Name] {
    mutating get {
      unpack()
      return records.filter(\.isThere).map { Array(text[range($0)]) }
    }
  }

  /// All names with what is known of them, in byte order.
  var sorted: [(key: Name, value: EntryState)] {
    mutating get {
      unpack()
      return records.filter(\.isThere).map { (key: Array(text[range($0)]), value: $0.state) }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
  }

  // MARK: looking

  /// Begins a look at the directory: every name that is met is noted.
  mutating func beginLook() {
    unpack()
    stamp &+= 1
  }

  /// What is known of a name that a look met.
  mutating func meet(_ name: Name) -> EntryState? {
    guard let number = find(name), records[number].isThere else { return nil }
    records[number].stamp = stamp
    return records[number].state
  }

  /// The names that the look has not met.
  var unmet: [Name] {
    records.filter { $0.isThere && $0.stamp != stamp }.map { Array(text[range($0)]) }
  }

  /// Replaces what is known only by name with what `state` says; names for which it has no answer stay.
  ///
  /// So do those that are of another kind now: the record that says so is on the way, and only what
  /// was known tells what goes with it, as all that was in a directory.
  mutating func see(_ state: (Name) -> EntryState?) {
    unpack()
    for number in records.indices where records[number].isThere && records[number].state.isUnseen {
      guard let seen = state(Array(text[range(records[number])])),
        seen.kind == records[number].state.kind
      else { continue }
      records[number].state = seen
    }
  }

  // MARK: the tables

  private func range(_ record: Record) -> Range<Int> {
    Int(record.start)..<(Int(record.start) + Int(record.length))
  }

  private mutating func unpack() {
    guard let listing else { return }
    self.listing = nil
    listing.forEach { entry in
      // Where the file system does not say, the kind was looked at by who made the listing.
      let state = EntryState(
        listed: entry.kind ?? .other,
        inode: entry.inode,
        device: device
      )
      append(listing.bytes[entry.name], state)
    }
    records.reserveCapacity(records.count)
  }

  private mutating func append(_ name: ArraySlice<UInt8>, _ state: EntryState) {
    records.append(
      Record(
        state: state,
        start: UInt32(truncatingIfNeeded: text.count),
        length: UInt16(truncatingIfNeeded: name.count),
        stamp: stamp
      )
    )
    text.append(contentsOf: name)
    if slots.isEmpty {
      if records.count > 8 { index() }
    } else if records.count * 3 > slots.count * 2 {
      index()
    } else {
      place(records.count - 1)
    }
  }

  private func find(_ name: Name) -> Int? {
    if slots.isEmpty {
      return records.indices.first { isNamed(records[$0], name) }
    }
    let mask = slots.count - 1
    var at = Int(truncatingIfNeeded: Self.hash(name[...])) & mask
    while slots[at] != 0 {
      let number = Int(slots[at]) - 1
      if isNamed(records[number], name) { return number }
      at = (at + 1) & mask
    }
    return nil
  }

  private func isNamed(_ record: Record, _ name: Name) -> Bool {
    guard Int(record.length) == name.count else { return false }
    let start = Int(record.start)
    for offset in 0..<name.count where text[start + offset] != name[offset] { return false }
    return true
  }

  private mutating func index() {
    var size = 16
    while records.count * 2 > size { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    for number in records.indices { place(number) }
  }

  private mutating func place(_ number: Int) {
    let mask = slots.count - 1
    var at = Int(truncatingIfNeeded: Self.hash(text[range(records[number])])) & mask
    while slots[at] != 0 { at = (at + 1) & mask }
    slots[at] = UInt32(number + 1)
  }

  /// FNV-1a, its high bits folded in.
  private static func hash(_ name: ArraySlice<UInt8>) -> UInt32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }

  /// Gives back what names take that are gone, once they are the most.
  private mutating func tidyUp() {
    if gone == records.count {
      self = EntryTable()
    } else if gone > 16, gone * 2 > records.count {
      let before = self
      self = EntryTable()
      stamp = before.stamp
      for record in before.records where record.isThere {
        append(before.text[before.range(record)], record.state)
        records[records.count - 1].stamp = record.stamp
      }
    }
  }
}
