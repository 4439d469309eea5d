import CoordinationRuntime
import LinuxSystem

/// This process's own list of presented paths.
///
/// Adding is one write and one store, whatever the length; rewritten and renamed in when most of it
/// is of the past. If the process dies in between, the list is as before. Used under the link's lock.
struct PresenceListWriter {
  private let folder: PeerFolder
  private let mode: UInt32
  private var file: SharedDescriptor
  private var header: MappedFile
  private var committed: Int
  /// Bytes of the paths that are presented now.
  private var living = 0
  /// Rewritten no sooner than at this length, so that a list that cannot be rewritten is not tried
  /// again at every step.
  private var nextRewrite = Self.leastRewrite
  private static let leastRewrite = 64 * 1024
  private static let temporaryName = FilePath("presenters.new")

  /// Puts a new list in the folder, in the place of one that may be there.
  init(in folder: PeerFolder, mode: UInt32, _ presented: [UInt64: FilePath])
    throws(SystemError)
  {
    self.folder = folder
    self.mode = mode
    (file, header, committed) = try Self.write(presented, in: folder, mode: mode)
    living = committed - PresenceList.headerLength
  }

  /// Appends records; all of them count at once.
  ///
  /// - Throws: ENOSPC and the like; then none of them counts.
  mutating func append(_ records: [PresenceList.Record]) throws(SystemError) {
    let bytes = records.flatMap(\.bytes)
    let at = committed
    try file.with { file throws(SystemError) in try file.write(bytes, at: at) }
    committed += bytes.count
    header.store64(UInt64(committed), at: PresenceList.At.committed)
    for record in records {
      if case .add = record { living += record.bytes.count }
    }
  }

  /// Says that a path of this length is presented no more.
  mutating func forget(pathOf length: Int) { living -= 12 + length }

  /// Rewrites the list if most of it is of the past.
  mutating func rewriteIfWorthwhile(_ presented: () -> [UInt64: FilePath]) {
    guard committed > nextRewrite, living * 2 < committed else { return }
    do throws(SystemError) {
      (file, header, committed) = try Self.write(presented(), in: folder, mode: mode)
      living = committed - PresenceList.headerLength
      nextRewrite = max(Self.leastRewrite, committed * 2)
    } catch {
      // The long list is as good, only longer.
      nextRewrite = committed * 2
    }
  }

  private static func write(_ presented: [UInt64: FilePath], in folder: PeerFolder, mode: UInt32)
    throws(SystemError) -> (SharedDescriptor, MappedFile, Int)
  {
    var bytes: [UInt8] = []
    for (number, path) in presented {
      bytes += PresenceList.Record.add(number: number, path: path).bytes
    }
    let directory = folder.directory.number
    do throws(SystemError) {
      try FileSystem.removeFile(temporaryName, at: directory)
    } catch  where error.code == .noEntry {}
    let file = try Descriptor.open(
      temporaryName,
      [.readWrite, .create, .exclusive, .noFollow],
      mode: mode,
      at: directory
    )
    if mode & 0o060 != 0 { try file.setPermissions(mode) }
    let length = PresenceList.headerLength + bytes.count
    let instance = UInt64.random(in: 1 ... .max)
    try file.write(PresenceList.header(instance: instance, committed: length) + bytes, at: 0)
    let header = try MappedFile(file, length: PresenceList.headerLength)
    try FileSystem.rename(temporaryName, to: PeerFolder.presenters, at: directory)
    return (SharedDescriptor(file), header, length)
  }
}
