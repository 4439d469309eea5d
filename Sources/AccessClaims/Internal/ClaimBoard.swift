import CoordinationRuntime
import LinuxSystem

/// What this process shows of its claims: one mapped file in its folder, a slot per claim.
///
/// Writing is a copy into memory, no system call. A slot is guarded by a sequence word that is odd
/// while it changes; a process that dies in between leaves a slot that nobody can read, and its locks
/// are gone anyway. Layout: ``BoardLayout``. Confined to the table's mutex.
final class ClaimBoard {
  private let map: MappedFile
  @exclusivity(unchecked) private var free: [Int32] = []
  @exclusivity(unchecked) private var used: Int32 = 0
  /// What the text of each slot says: a claim of which the same is to be said need not write it again.
  @exclusivity(unchecked) private var shown: [Shown?] = []

  /// All that is in the text of a plain claim's slot.
  private struct Shown {
    let plan: ItemPlan
    let access: ClaimRequest.Access
    let purpose: Purpose

    /// Nil for a claim whose slot says more.
    init?(_ record: ClaimRecord) {
      guard record.items.count == 1, !record.isInheritable, record.outer.isEmpty,
        record.passes.isEmpty
      else { return nil }
      plan = record.items[0].plan
      access = record.accesses[0]
      purpose = record.purpose
    }

    func says(_ record: ClaimRecord) -> Bool {
      record.items.count == 1 && record.items[0].plan === plan && record.accesses[0] == access
        && record.purpose == purpose && !record.isInheritable && record.outer.isEmpty
        && record.passes.isEmpty
    }
  }

  init(in folder: PeerFolder, fileMode: UInt32) throws(SystemError) {
    let length = BoardLayout.length
    let name = try Self.unusedName(in: folder)
    map = try folder.directory.with { directory throws(SystemError) in
      let file = try Descriptor.open(
        name,
        [.readWrite, .create, .noFollow],
        mode: fileMode,
        in: directory
      )
      try file.setLength(length)
      return try MappedFile(file, length: length)
    }
    map.store32(BoardLayout.version, at: 4)
    map.store32(BoardLayout.magic, at: 0)
  }

  /// `claims`, or `claims.2` and so on where this process has several tables for one directory.
  private static func unusedName(in folder: PeerFolder) throws(SystemError) -> FilePath {
    for number in 1..<1000 {
      let name = number == 1 ? PeerFolder.claims : FilePath("\(PeerFolder.claims).\(number)")
      do throws(SystemError) {
        _ = try FileStatus(of: name, at: folder.directory.number)
      } catch  where error.code == .noEntry {
        return name
      }
    }
    throw SystemError("openat", .alreadyExists)
  }

  /// Shows the record as it stands now.
  func note(_ record: ClaimRecord, _ table: TableState) {
    if record.slot < 0 {
      guard let slot = free.popLast() ?? nextSlot() else { return }
      record.slot = slot
      if shown[Int(slot)]?.says(record) == true {
        writeNumber(record)
      } else {
        writeClaim(record)
        shown[Int(slot)] = Shown(record)
      }
    }
    writeState(record, table)
  }

  /// Shows how far a waiting record has come at its node.
  func notePhase(_ record: ClaimRecord, _ table: TableState) {
    guard record.slot >= 0 else { return }
    writeState(record, table)
  }

  /// Takes the record off the board.
  func clear(_ record: ClaimRecord) {
    guard record.slot >= 0 else { return }
    map.store32(0, at: BoardLayout.offset(record.slot) + BoardLayout.state)
    free.append(record.slot)
    record.slot = -1
  }

  private func nextSlot() -> Int32? {
    guard used < BoardLayout.slots else { return nil }
    used += 1
    shown.append(nil)
    map.store32(UInt32(used), at: 8)
    return used - 1
  }

  /// Begins a change of the slot, which ends with ``writeState(_:_:)``.
  private func writeNumber(_ record: ClaimRecord) {
    let base = BoardLayout.offset(record.slot)
    map.store32(map.load32(base) | 1, at: base)
    map.store64(record.number, at: base + BoardLayout.number)
    map.store32(record.thread, at: base + BoardLayout.thread)
    map.store32(0, at: base + BoardLayout.asked)
  }

  private func writeClaim(_ record: ClaimRecord) {
    writeNumber(record)
    let base = BoardLayout.offset(record.slot)
    var flags: UInt32 = 0
    if record.isInheritable { flags |= BoardLayout.isInheritable }
    if record.purpose.mayBeShared { flags |= BoardLayout.hasSharedPurpose }
    if !record.outer.isEmpty { flags |= BoardLayout.isNested }
    var at = base + BoardLayout.text
    let purpose = map.write(record.purpose.identifier, at: at, limit: 1024)
    map.store32(UInt32(purpose), at: base + BoardLayout.purposeLength)
    at += purpose
    var count: UInt32 = 0
    let end = base + BoardLayout.askedList
    for (entry, access) in zip(record.items, record.accesses) {
      let identity = entry.plan.identity
      let isSame = identity.claimed == identity.item
      let size = 5 + identity.claimed.count + (isSame ? 0 : identity.item.count)
      guard at + size <= end else {
        flags |= BoardLayout.isTruncated
        break
      }
      let lengths = [
        access.rawValue, UInt8(identity.claimed.count & 255), UInt8(identity.claimed.count >> 8),
        UInt8(isSame ? 0 : identity.item.count & 255), UInt8(isSame ? 0 : identity.item.count >> 8),
      ]
      map.write(lengths, at: at)
      at += 5
      at += map.write(identity.claimed, at: at, limit: 65535)
      if !isSame { at += map.write(identity.item, at: at, limit: 65535) }
      count += 1
    }
    map.store32(count, at: base + BoardLayout.itemCount)
    map.store32(flags, at: base + BoardLayout.flags)
    writePasses(record)
    let outer = record.outer.suffix(BoardLayout.outerLimit)
    for (index, number) in outer.enumerated() {
      map.store64(number, at: base + BoardLayout.outerList + index * 8)
    }
    map.store32(UInt32(outer.count), at: base + BoardLayout.outer)
  }

  private func writePasses(_ record: ClaimRecord) {
    let base = BoardLayout.offset(record.slot)
    let passes = record.passes.prefix(BoardLayout.passLimit)
    for (index, asker) in passes.enumerated() {
      let to = base + BoardLayout.passList + index * 24
      map.store64(UInt64(UInt32(bitPattern: asker.process.pid)), at: to)
      map.store64(asker.process.started, at: to + 8)
      map.store64(asker.number, at: to + 16)
    }
    map.store32(UInt32(passes.count), at: base + BoardLayout.passes)
  }

  /// Shows past whose gates the record may go now.
  func notePasses(_ record: ClaimRecord) {
    guard record.slot >= 0 else { return }
    shown[Int(record.slot)] = nil
    let base = BoardLayout.offset(record.slot)
    let sequence = map.load32(base) | 1
    map.store32(sequence, at: base)
    writePasses(record)
    map.store32(sequence &+ 1, at: base)
  }

  private func writeState(_ record: ClaimRecord, _ table: TableState) {
    let base = BoardLayout.offset(record.slot)
    let sequence = map.load32(base) | 1
    map.store32(sequence, at: base)
    let state: UInt32 =
      switch record.state {
      case .waiting: 1
      case .granted: 2
      case .asking: 3
      default: 4
      }
    if state == 1 {
      let need = record.needs[record.position]
      let key = table.node(need.node).key
      let item =
        record.items.count == 1
        ? 0
        : record.items.firstIndex {
          let claimed = $0.plan.identity.claimed
          return claimed == key.path || claimed.isInside(key.path)
        }
      map.store32(UInt32(item ?? 0), at: base + BoardLayout.waitItem)
      map.store32(UInt32(key.path.count), at: base + BoardLayout.waitLength)
      var what = UInt32(key.kind.rawValue)
      if need.mode == .exclusive { what |= 2 }
      if record.phase == .node { what |= 4 }
      let hasGate = record.gates.contains { $0.need == record.position }
      if record.isExpress, !hasGate { what |= 8 }
      map.store32(what, at: base + BoardLayout.waitWhat)
    }
    map.store64(record.since, at: base + BoardLayout.since)
    map.store32(state, at: base + BoardLayout.state)
    map.store32(sequence &+ 1, at: base)
  }

  /// Shows whom the record asks and waits for.
  func noteAsked(_ record: ClaimRecord, _ processes: [ProcessIdentity]) {
    guard record.slot >= 0 else { return }
    let base = BoardLayout.offset(record.slot)
    let sequence = map.load32(base) | 1
    map.store32(sequence, at: base)
    let shown = processes.prefix(BoardLayout.askedLimit)
    for (index, process) in shown.enumerated() {
      let to = base + BoardLayout.askedList + index * 16
      map.store64(UInt64(UInt32(bitPattern: process.pid)), at: to)
      map.store64(process.started, at: to + 8)
    }
    map.store32(UInt32(shown.count), at: base + BoardLayout.asked)
    map.store32(sequence &+ 1, at: base)
  }
}

/// Where things stand in a board.
enum BoardLayout {
  static let magic: UInt32 = 0x4642_4c43
  static let version: UInt32 = 1
  static let slots: Int32 = 512
  static let slotSize = 8192
  static let length = slotSize * (Int(slots) + 1)
  static func offset(_ slot: Int32) -> Int { (Int(slot) + 1) * slotSize }

  // Within a slot; the sequence word is at 0.
  static let state = 4
  static let number = 8
  static let since = 16
  static let thread = 24
  static let flags = 28
  static let waitItem = 32
  static let waitLength = 36
  static let waitWhat = 40
  static let itemCount = 44
  static let purposeLength = 48
  static let asked = 52
  static let passes = 56
  static let outer = 60
  static let text = 64
  static let askedList = 7168
  static let askedLimit = 32
  static let passList = 7680
  static let passLimit = 16
  static let outerList = 8064
  static let outerLimit = 16

  static let isInheritable: UInt32 = 1
  static let isNested: UInt32 = 2
  static let isTruncated: UInt32 = 4
  static let hasSharedPurpose: UInt32 = 8
}

extension TableState {
  /// Opens this process's board in the runtime directory of now.
  ///
  /// Without one, claims work but nobody sees them: said in the trace.
  func openBoard() {
    board = nil
    for record in records { record.slot = -1 }
    do {
      let folder = try PeerFolder.ours(in: runtime)
      process = folder.process
      let board = try ClaimBoard(in: folder, fileMode: runtime.fileMode)
      self.board = board
    } catch {
      CoordinationTrace.record(.diagnostic, path: runtime.path, "no board: \(error)")
    }
  }
}
