import Foundation
import LinuxSystem

/// An item as the document last saw it: what it compares with before it overwrites.
struct ItemFingerprint: Sendable {
  let status: FileStatus
  /// Of the bytes of a file, or of the names and stamps in a package; nil: not known.
  private(set) var contents: ContentHash?
  /// When the file was looked at, in nanoseconds since 1970.
  private let looked: Int64

  init(_ status: FileStatus, _ contents: ContentHash? = nil) {
    self.status = status
    self.contents = contents
    looked = WallClock.nanoseconds
  }

  /// The item at `path` now; of a package all that is in it is looked at.
  init(of path: FilePath) throws(SystemError) {
    let status = try FileStatus(of: path)
    self.init(status, status.kind == .directory ? try ContentHash(ofTree: path) : nil)
  }

  mutating func fill(_ hash: ContentHash) { contents = contents ?? hash }

  /// Whether the item at `path`, whose status is `now`, has other contents than this one.
  ///
  /// Stamps that differ are no proof (somebody touched it, a provider rounds times), and stamps that
  /// agree are none if they are as young as the file system is coarse: then bytes are compared.
  func differs(from now: FileStatus, at path: FilePath) throws(SystemError) -> Bool {
    if now.kind != status.kind { return true }
    if now.kind == .directory {
      guard let contents else { return false }
      return try ContentHash(ofTree: path) != contents
    }
    if now.size != status.size { return true }
    let isSame =
      now.isSameFile(as: status) && now.modified == status.modified
      && now.changed == status.changed
    if isSame, !isYoung { return false }
    guard let contents else { return !isSame }
    return try ContentHash(of: NewFile.read(path).data) != contents
  }

  /// Whether another write could have left the same stamp: stamps are as coarse as a clock tick of 4 ms,
  /// on some file systems as two seconds.
  private var isYoung: Bool {
    let modified =
      Int64(status.modified.seconds) * 1_000_000_000 + Int64(status.modified.nanoseconds)
    let coarseness: Int64 = status.modified.nanoseconds == 0 ? 2_000_000_000 : 4_000_000
    return looked - modified < coarseness
  }
}

/// 128 bits that differ for different contents, other than by chance; no defence against intent.
struct ContentHash: Hashable, Sendable {
  private var a: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var b: UInt64 = 0xc2b2_ae3d_27d4_eb4f

  init(of data: Data) {
    let hash = data.span.bytes.hash128
    (a, b) = (hash.0, hash.1)
  }

  /// Of the names, kinds, sizes and times of all that is in a directory; no contents are read.
  ///
  /// The order of the names does not matter, so that nothing has to be sorted.
  init(ofTree path: FilePath) throws(SystemError) {
    try self.init(Descriptor.open(path, [.readOnly, .directory, .noFollow]))
  }

  private init(_ directory: borrowing Descriptor) throws(SystemError) {
    for entry in try FileSystem.entries(of: directory.number) {
      let name = FilePath(bytes: entry.name)
      let status = try FileStatus(of: name, at: directory.number)
      var own = ContentHash()
      for byte in entry.name { own.mix(UInt64(byte)) }
      switch status.kind {
      case .directory:
        let inside = try ContentHash(
          Descriptor.open(name, [.readOnly, .directory, .noFollow], at: directory.number)
        )
        own.mix(inside.a)
        own.mix(inside.b)
      case .regular, .link, .other:
        own.mix(UInt64(bitPattern: status.size))
        own.mix(UInt64(bitPattern: Int64(status.modified.seconds)))
        own.mix(UInt64(bitPattern: Int64(status.modified.nanoseconds)))
      }
      a &+= own.a
      b &+= own.b
    }
  }

  private init() {}

  private mutating func mix(_ word: UInt64) {
    a = (a ^ word) &* 0x9fb2_1c65_1e98_df25
    a ^= a >> 32
    b = (b &+ word) &* 0xd6e8_feb8_6659_fd93
    b ^= b >> 29
  }
}
