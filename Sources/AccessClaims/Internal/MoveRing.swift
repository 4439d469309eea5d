import CoordinationRuntime
import LinuxSystem

/// The latest moves that were announced, for claims that waited meanwhile.
///
/// One mapped file `moves` per runtime directory: a sequence number and a ring of notes. A note is
/// appended without a lock: taking the next number reserves its place, and its own number is stored
/// last. A process that dies in between leaves a note that is skipped. A claim that waited while more
/// than ``capacity`` moves happened follows only those that are left.
final class MoveRing: Sendable {
  /// One announced move.
  struct Note: Sendable {
    let number: UInt64
    let from: FilePath
    let to: FilePath
  }

  static let capacity = 256
  private static let name = FilePath("moves")
  private static let slotSize = 8320
  private static let first = 4096
  private let map: MappedFile

  init(in runtime: RuntimeDirectory) throws(RuntimeDirectoryError) {
    let file = try runtime.openFile(Self.name, [.readWrite, .create])
    let length = Self.first + Self.capacity * Self.slotSize
    do throws(SystemError) {
      if try FileStatus(of: file).size < length { try file.setLength(length) }
      map = try MappedFile(file, length: length)
    } catch {
      throw RuntimeDirectoryError(runtime.path.appending(Self.name.bytes), error)
    }
  }

  /// How many moves were announced so far.
  var count: UInt64 { map.load64(0) }

  /// Announces a move.
  ///
  /// No system call; must happen while the mover holds the item.
  func append(from: FilePath, to: FilePath) {
    guard from.count + to.count <= Self.slotSize - 32 else { return }
    let number = map.add64(1, at: 0) + 1
    let base = offset(number)
    map.store64(0, at: base)
    map.store32(UInt32(from.count), at: base + 8)
    map.store32(UInt32(to.count), at: base + 12)
    _ = map.write(from, at: base + 32, limit: from.count)
    _ = map.write(to, at: base + 32 + from.count, limit: to.count)
    map.store64(number, at: base)
  }

  /// The oldest move after number `last` that took `path`, or a directory above it, elsewhere.
  func firstMove(of path: FilePath, after last: UInt64) -> Note? {
    let newest = count
    guard newest > last else { return nil }
    let oldest = newest > UInt64(Self.capacity) ? newest - UInt64(Self.capacity) : 0
    for number in (max(last, oldest) + 1)...newest {
      guard let note = note(number) else { continue }
      if note.from == path || path.isInside(note.from) { return note }
    }
    return nil
  }

  private func note(_ number: UInt64) -> Note? {
    let base = offset(number)
    guard map.load64(base) == number else { return nil }
    let (a, b) = (Int(map.load32(base + 8)), Int(map.load32(base + 12)))
    guard a + b <= Self.slotSize - 32 else { return nil }
    let from = FilePath(bytes: map.read(a, at: base + 32))
    let to = FilePath(bytes: map.read(b, at: base + 32 + a))
    // Overwritten while it was read: too old to matter.
    guard map.load64(base) == number else { return nil }
    return Note(number: number, from: from, to: to)
  }

  private func offset(_ number: UInt64) -> Int {
    Self.first + Int((number - 1) % UInt64(Self.capacity)) * Self.slotSize
  }
}
