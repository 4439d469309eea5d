import CoordinationRuntime
import LinuxSystem

/// The open lock file of a node: one incarnation of it, until it is found removed.
///
/// Confined to the table's mutex. All descriptions are of one inode.
final class NodeFile {
  let header: NodeHeader
  /// The open file description that all readers of this process share: only ever locked shared
  /// without waiting, or unlocked.
  @exclusivity(unchecked) private(set) var shared: SharedDescriptor?
  /// Unlocked descriptions, for exclusive claims and waiting requests.
  @exclusivity(unchecked) private var spares: [SharedDescriptor] = []
  /// Unlocked descriptions of the gate file.
  @exclusivity(unchecked) private var gates: [SharedDescriptor] = []
  /// When the link count was last looked at before a wait, in monotonic nanoseconds; 0: never.
  @exclusivity(unchecked) var checkedAt: UInt64 = 0
  /// When a name last came or went in its directory, as of a look that found it linked.
  @exclusivity(unchecked) var linkedAsOf: FileStatus.Time?
  /// When the gate's link count was last looked at.
  @exclusivity(unchecked) private var gateCheckedAt: UInt64 = 0
  /// Found removed, or its runtime directory replaced: open anew once nobody here holds it.
  @exclusivity(unchecked) var isStale = false
  private let name: NodeName
  private let runtime: RuntimeDirectory
  private let identity: FileStatus
  private let count: DescriptorCount

  /// Opens, and where needed creates, the lock file.
  ///
  /// The description that is mapped is never locked: a mapping keeps its description, and with it a
  /// lock, alive after the descriptor is closed, even in a forked child.
  init(_ path: FilePath, _ name: NodeName, in runtime: RuntimeDirectory, _ count: DescriptorCount)
    throws(RuntimeDirectoryError)
  {
    self.name = name
    self.runtime = runtime
    self.count = count
    let file = try runtime.openFile(
      name.lock,
      [.readWrite, .create],
      in: runtime.nodesDirectory
    )
    do throws(SystemError) {
      var status = try FileStatus(of: file)
      if status.size < NodeHeader.size {
        // Whoever else does this now does the very same.
        try file.setLength(NodeHeader.size)
        try file.write(path.bytes, at: NodeHeader.size)
        status = try FileStatus(of: file)
        count.noteCreation()
      }
      identity = status
      header = NodeHeader(try MappedFile(file, length: NodeHeader.size))
      header.setPathLength(path.count)
    } catch {
      throw RuntimeDirectoryError(runtime.path.appending(name.lock.bytes), error)
    }
  }

  deinit { count.add(-(spares.count + gates.count + (shared == nil ? 0 : 1))) }

  /// A number under which the file is open, if it is under one that nobody borrowed.
  var anyNumber: CInt? { shared?.number ?? spares.last?.number }

  /// Takes the dead flag away again if the file still has its name: a janitor was killed between
  /// the two.
  ///
  /// Says whether the file may be used.
  func revive() -> Bool {
    // Without a descriptor for it, it stays dead a little longer.
    guard let description = try? takeSpare(),
      FileLock.attempt(description.number, .exclusive) == nil
    else { return false }
    let number = description.number
    defer {
      FileLock.release(number)
      keepSpare(description)
    }
    // Only who has the lock removes the name; nobody else does that now.
    guard Self.isLinked(number) else { return false }
    header.revive()
    return true
  }

  /// Removes the name, as no holder may: a fault that is put in on purpose.
  func unlink() {
    // The fault is the removal itself; whether it worked does not matter.
    try? FileSystem.removeFile(name.lock, at: runtime.nodesDirectory.number)
  }

  /// Whether nobody removed the file that is open under this number; one system call.
  static func isLinked(_ number: CInt) -> Bool {
    // fstat of an open descriptor does not fail; if it does, opening anew is the remedy.
    guard let status = try? FileStatus(ofNumber: number) else { return false }
    return status.links > 0
  }

  /// Whether the file that is open under this number is this one.
  func isSameFile(_ number: CInt) -> Bool {
    guard let status = try? FileStatus(ofNumber: number) else { return false }
    return status.isSameFile(as: identity)
  }

  /// The readers' description, opened on first use; nil when the file turned out stale.
  func sharedDescription() throws(RuntimeDirectoryError) -> SharedDescriptor? {
    if let shared { return shared }
    guard let description = try takeSpare() else { return nil }
    shared = description
    count.add(1)
    return description
  }

  /// A description of the caller's own, to be given back with ``keepSpare(_:)`` or closed; nil when
  /// the file turned out stale.
  func takeSpare() throws(RuntimeDirectoryError) -> SharedDescriptor? {
    if let spare = spares.popLast() {
      count.add(-1)
      return spare
    }
    var file: Descriptor
    do throws(RuntimeDirectoryError) {
      file = try runtime.openFile(name.lock, [.readWrite], in: runtime.nodesDirectory)
    } catch  where error.cause?.code == .noEntry {
      isStale = true
      return nil
    }
    // Another file has the name by now: ours was removed.
    guard let status = try? FileStatus(of: file), status.isSameFile(as: identity) else {
      isStale = true
      return nil
    }
    file.closeInForkedChild()
    return SharedDescriptor(file)
  }

  /// Keeps an unlocked description for the next who needs one.
  func keepSpare(_ description: SharedDescriptor) {
    guard spares.count < 2, !isStale else { return }
    spares.append(description)
    count.add(1)
  }

  /// A description of the gate file; like ``takeSpare()``.
  func takeGate(at now: UInt64) throws(RuntimeDirectoryError) -> SharedDescriptor {
    if let gate = gates.popLast() {
      count.add(-1)
      // A stranger may have removed its file: then another one orders those who come.
      if isGateLinked(gate.number, at: now) { return gate }
    }
    gateCheckedAt = now
    var file = try runtime.openFile(
      name.gate,
      [.readWrite, .create],
      in: runtime.nodesDirectory
    )
    file.closeInForkedChild()
    return SharedDescriptor(file)
  }

  /// Whether nobody removed the gate's file, as of a look that is less than 100 ms old: it only orders
  /// those who come.
  func isGateLinked(_ number: CInt, at now: UInt64) -> Bool {
    if now &- gateCheckedAt < 100_000_000 { return true }
    gateCheckedAt = now
    return Self.isLinked(number)
  }

  /// Keeps an open gate for the next who needs it.
  func keepGate(_ gate: SharedDescriptor) {
    guard gates.isEmpty, !isStale else { return }
    gates.append(gate)
    count.add(1)
  }
}

/// How many descriptors the cached nodes of a table keep open.
///
/// Confined to the table's mutex.
final class DescriptorCount {
  @exclusivity(unchecked) private(set) var value = 0
  /// How many lock files were created since the janitor was called last.
  @exclusivity(unchecked) private(set) var created = 0

  func add(_ count: Int) { value += count }
  func noteCreation() { created += 1 }

  /// Whether it is time for the janitor; counts anew then.
  func isTimeToClean() -> Bool {
    guard created >= 1024 else { return false }
    created = 0
    return true
  }
}

/// The names of a node's two files.
struct NodeName {
  let lock: FilePath
  let gate: FilePath

  init(_ path: FilePath, _ kind: NodeKind) {
    let (a, b) = path.stableHash
    var name: [UInt8] = []
    name.reserveCapacity(36)
    for word in [a, b] {
      for shift in stride(from: 60, through: 0, by: -4) {
        let digit = UInt8((word >> UInt64(shift)) & 15)
        name.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      }
    }
    name.append(UInt8(ascii: "."))
    name.append(kind == .item ? UInt8(ascii: "i") : UInt8(ascii: "t"))
    lock = FilePath(bytes: name)
    name.append(UInt8(ascii: "g"))
    gate = FilePath(bytes: name)
  }
}
