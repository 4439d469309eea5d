import LinuxSystem

/// Which of the two locks of a path.
enum NodeKind: UInt8 {
  /// The item itself.
  case item
  /// Everything at and below it: shared by all who work inside, exclusive to who ends the whole.
  case tree
}

/// A path and which of its locks.
struct NodeKey: Hashable {
  let path: FilePath
  let kind: NodeKind
}

/// One lock and who of this process holds it or waits for it.
///
/// Confined to the table's mutex.
final class Node {
  let key: NodeKey
  let index: Int32
  @exclusivity(unchecked) var file: NodeFile?
  /// Granted claims in shared mode, as indices of records.
  @exclusivity(unchecked) var readers: [Int32] = []
  /// Granted claims in exclusive mode: one, or several that share a purpose or a thread.
  @exclusivity(unchecked) var writers: [Int32] = []
  /// The description that is locked exclusively while ``writers`` are in (``readers`` may be, too).
  @exclusivity(unchecked) var exclusive: ExclusiveHold?
  /// The readers' lock is given up for the moment in which their own purpose takes the node
  /// exclusively; the generation that was read while it was still held.
  @exclusivity(unchecked) var suspended: UInt32?
  /// Waiting claims that go through the gate, first in first out.
  @exclusivity(unchecked) var main: [Int32] = []
  /// Waiting claims that need no gate: they hold it, or may pass its holder.
  @exclusivity(unchecked) var express: [Int32] = []
  /// The gate, held for the head of ``main``.
  @exclusivity(unchecked) var gate: SharedDescriptor?
  /// The wait for the gate.
  @exclusivity(unchecked) var gateWait: KernelWait?
  /// Waits for the node, and waits for the gate that nobody needs any more.
  @exclusivity(unchecked) var waits: [KernelWait] = []
  /// When this process last gave it up, in monotonic nanoseconds.
  @exclusivity(unchecked) var leftAt: UInt64 = 0
  /// The generation of that moment: another one says that somebody wrote since.
  @exclusivity(unchecked) var leftGeneration: UInt32 = 0
  /// When it last got it.
  @exclusivity(unchecked) var enteredAt: UInt64 = 0
  /// Since when this process holds its lock without a break, if it does.
  @exclusivity(unchecked) var heldSince: UInt64 = 0
  /// The readers' lock stands, or will stand when they have left, though nobody needs it.
  @exclusivity(unchecked) var isLingering = false
  /// Whether the table has it on its list of those.
  @exclusivity(unchecked) var isListedToLinger = false
  /// Until when, in monotonic nanoseconds.
  @exclusivity(unchecked) var lingersUntil: UInt64 = 0
  /// Claims that will come back to this node: it must stay.
  @exclusivity(unchecked) var users = 0
  /// When it was last used, in claims of this table.
  @exclusivity(unchecked) var lastUsed: UInt64 = 0

  init(_ key: NodeKey, index: Int32) {
    self.key = key
    self.index = index
  }

  /// Whether no claim of this process waits here.
  var isQuiet: Bool { main.isEmpty && express.isEmpty }
  /// Whether no claim of this process holds it.
  var isFree: Bool { readers.isEmpty && writers.isEmpty && exclusive == nil }
  /// Whether nothing would be lost by closing its files.
  var isIdle: Bool {
    users == 0 && isFree && isQuiet && gateWait == nil && waits.isEmpty && gate == nil
      && !isLingering
  }
}

/// An open file description that holds a node exclusively.
///
/// Confined to the table's mutex.
final class ExclusiveHold {
  let description: SharedDescriptor
  /// Sent to another process, or meant for a child: only ever closed, never unlocked or converted.
  @exclusivity(unchecked) var isRetired: Bool

  init(_ description: SharedDescriptor, isRetired: Bool) {
    self.description = description
    self.isRetired = isRetired
  }
}

/// A thread that blocks in flock(2): the claim's own, or one of ours where the claim has none.
///
/// Confined to the table's mutex.
final class KernelWait {
  let id: UInt64
  let node: Int32
  let isGate: Bool
  let mode: LockMode
  let description: SharedDescriptor
  /// The record it waits for; nil: its lock is dropped when the thread is back.
  @exclusivity(unchecked) var beneficiary: Int32?
  /// The claim's own thread blocks in it now, and will come back with it.
  @exclusivity(unchecked) var isRunning = false
  /// Gets readers back a lock that they gave up for a writer of their own that did not come.
  let restores: Bool

  init(
    id: UInt64,
    node: Int32,
    isGate: Bool,
    mode: LockMode,
    description: SharedDescriptor,
    beneficiary: Int32?,
    restores: Bool
  ) {
    self.id = id
    self.node = node
    self.isGate = isGate
    self.mode = mode
    self.description = description
    self.beneficiary = beneficiary
    self.restores = restores
  }
}

/// What a thread is to block on.
struct KernelJob: Sendable {
  let wait: UInt64
  let number: CInt
  let mode: LockMode
  /// Keeps the number open.
  let description: SharedDescriptor
  /// The plan of the claim's only item, if its locks but this one are held.
  let plan: ItemPlan?

  init(_ wait: KernelWait, _ plan: ItemPlan? = nil) {
    self.plan = plan
    self.wait = wait.id
    number = wait.description.number
    mode = wait.mode
    description = wait.description
  }
}
