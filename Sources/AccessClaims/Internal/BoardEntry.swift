import CoordinationRuntime
import LinuxSystem

/// One claim as its process's board shows it.
struct BoardEntry: Sendable {
  enum State: Sendable { case waiting, granted, asking, moving }
  struct Item: Sendable {
    let access: ClaimRequest.Access
    let claimed: FilePath
    let item: FilePath
  }
  /// Where a claim waits.
  struct Wait: Sendable {
    let path: FilePath
    let kind: NodeKind
    let mode: LockMode
    /// At the node itself, not in front of its gate.
    let isAtNode: Bool
    /// Without the gate.
    let isExpress: Bool
  }

  let id: ClaimID
  let thread: UInt32
  let state: State
  let since: MonotonicInstant
  let purpose: String
  let hasSharedPurpose: Bool
  let isInheritable: Bool
  let items: [Item]
  let wait: Wait?
  let asked: [ProcessIdentity]
  let passes: [ClaimID]
  /// Numbers of the claims around it.
  let outer: [UInt64]
}

extension BoardEntry {
  /// The claims that all living processes show.
  ///
  /// A few system calls per process; never blocks. A slot that changes while it is read is read again,
  /// and left out if it never stands still.
  static func all(in runtime: RuntimeDirectory) throws(RuntimeDirectoryError) -> [BoardEntry] {
    let peers = try PeerFolder.all(in: runtime)
    var found: [BoardEntry] = []
    for process in peers {
      // A process that ends while it is looked at shows nothing.
      guard let entries = try? entries(of: process, in: runtime) else { continue }
      found += entries
    }
    return found
  }

  private static func entries(of process: ProcessIdentity, in runtime: RuntimeDirectory)
    throws(SystemError) -> [BoardEntry]
  {
    let folder = RuntimeDirectory.peers.appending(PeerFolder.name(of: process).bytes)
    let directory = try Descriptor.open(
      folder,
      [.readOnly, .directory, .noFollow],
      at: runtime.descriptor.number
    )
    let alive = try Descriptor.open(PeerFolder.alive, [.readOnly, .noFollow], in: directory)
    if process != .current, try alive.tryLock(.shared) { return [] }
    var found: [BoardEntry] = []
    for number in 1..<1000 {
      let name = number == 1 ? PeerFolder.claims : FilePath("\(PeerFolder.claims).\(number)")
      guard let file = try? Descriptor.open(name, [.readOnly, .noFollow], in: directory) else {
        break
      }
      found += try read(file, process)
    }
    return found
  }

  private static func read(_ file: borrowing Descriptor, _ process: ProcessIdentity)
    throws(SystemError) -> [BoardEntry]
  {
    guard try FileStatus(of: file).size >= BoardLayout.length else { return [] }
    let map = try MappedFile(file, length: BoardLayout.length, writable: false)
    guard map.load32(0) == BoardLayout.magic, map.load32(4) == BoardLayout.version else {
      return []
    }
    let used = min(Int32(bitPattern: map.load32(8)), BoardLayout.slots)
    guard used > 0 else { return [] }
    return (0..<used).compactMap { read(map, $0, process) }
  }

  private static func read(_ map: MappedFile, _ slot: Int32, _ process: ProcessIdentity)
    -> BoardEntry?
  {
    let base = BoardLayout.offset(slot)
    for _ in 0..<100 {
      let before = map.load32(base)
      if map.load32(base + BoardLayout.state) == 0 { return nil }
      if before & 1 != 0 { continue }
      let bytes = map.read(BoardLayout.slotSize, at: base)
      if map.load32(base) == before { return BoardEntry(bytes, process) }
    }
    return nil
  }

  /// Reads a slot without trusting it: lengths are checked, what does not fit is nil.
  init?(_ bytes: [UInt8], _ process: ProcessIdentity) {
    guard bytes.count == BoardLayout.slotSize else { return nil }
    func word(_ at: Int) -> UInt32 {
      UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16
        | UInt32(bytes[at + 3]) << 24
    }
    func long(_ at: Int) -> UInt64 { UInt64(word(at)) | UInt64(word(at + 4)) << 32 }
    switch word(BoardLayout.state) {
    case 1: state = .waiting
    case 2: state = .granted
    case 3: state = .asking
    case 4: state = .moving
    default: return nil
    }
    id = ClaimID(process: process, number: long(BoardLayout.number))
    since = MonotonicInstant(nanoseconds: long(BoardLayout.since))
    thread = word(BoardLayout.thread)
    let flags = word(BoardLayout.flags)
    isInheritable = flags & BoardLayout.isInheritable != 0
    hasSharedPurpose = flags & BoardLayout.hasSharedPurpose != 0
    var at = BoardLayout.text
    let end = BoardLayout.askedList
    let purposeLength = Int(word(BoardLayout.purposeLength))
    guard purposeLength <= end - at else { return nil }
    purpose = String(decoding: bytes[at..<at + purposeLength], as: UTF8.self)
    at += purposeLength
    var items: [Item] = []
    for _ in 0..<min(word(BoardLayout.itemCount), 4096) {
      guard at + 5 <= end, let access = ClaimRequest.Access(rawValue: bytes[at]) else { return nil }
      let claimedLength = Int(bytes[at + 1]) | Int(bytes[at + 2]) << 8
      let itemLength = Int(bytes[at + 3]) | Int(bytes[at + 4]) << 8
      at += 5
      guard at + claimedLength + itemLength <= end else { return nil }
      let claimed = FilePath(bytes: bytes[at..<at + claimedLength])
      at += claimedLength
      let item = itemLength == 0 ? claimed : FilePath(bytes: bytes[at..<at + itemLength])
      at += itemLength
      items.append(Item(access: access, claimed: claimed, item: item))
    }
    self.items = items
    wait = Self.wait(
      in: items,
      isWaiting: state == .waiting,
      word(BoardLayout.waitItem),
      word(BoardLayout.waitLength),
      word(BoardLayout.waitWhat)
    )
    asked = (0..<min(Int(word(BoardLayout.asked)), BoardLayout.askedLimit)).map {
      let at = BoardLayout.askedList + $0 * 16
      return ProcessIdentity(pid: Int32(bitPattern: word(at)), started: long(at + 8))
    }
    passes = (0..<min(Int(word(BoardLayout.passes)), BoardLayout.passLimit)).map {
      let at = BoardLayout.passList + $0 * 24
      return ClaimID(
        process: ProcessIdentity(pid: Int32(bitPattern: word(at)), started: long(at + 8)),
        number: long(at + 16)
      )
    }
    outer = (0..<min(Int(word(BoardLayout.outer)), BoardLayout.outerLimit)).map {
      long(BoardLayout.outerList + $0 * 8)
    }
  }

  private static func wait(
    in items: [Item],
    isWaiting: Bool,
    _ item: UInt32,
    _ length: UInt32,
    _ what: UInt32
  ) -> Wait? {
    guard isWaiting, Int(item) < items.count else { return nil }
    let path = items[Int(item)].claimed
    guard Int(length) <= path.count else { return nil }
    return Wait(
      path: FilePath(bytes: path.bytes.prefix(Int(length))),
      kind: what & 1 == 0 ? .item : .tree,
      mode: what & 2 == 0 ? .shared : .exclusive,
      isAtNode: what & 4 != 0,
      isExpress: what & 8 != 0
    )
  }
}
