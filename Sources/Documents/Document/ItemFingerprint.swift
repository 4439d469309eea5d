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
    let span = data.span
    var index = 0
    while index + 8 <= span.count {
      var word: UInt64 = 0
      for offset in 0..<8 { word |= UInt64(span[index + offset]) << UInt64(8 * offset) }
      mix(word)
      index += 8
    }
    var rest: UInt64 = 0
    var shift: UInt64 = 0
    while index < span.count {
      rest |= UInt64(span[index]) << shift
      shift += 8
      index += 1
    }
    mix(rest)
    mix(UInt64(span.count))
  }

  /// Of the names, kinds, sizes and times of all that is in a directory; no contents are read.
  init(ofTree path: FilePath) throws(SystemError) { try add(tree: path) }

  private mutating func add(tree path: FilePath) throws(SystemError) {
    for name in try FileSystem.list(path).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let inner = path.appending(name)
      let status = try FileStatus(of: inner)
      for byte in name { mix(UInt64(byte)) }
      switch status.kind {
      case .directory:
        mix(0xd1)
        try add(tree: inner)
        mix(0xd2)
      case .regular, .link, .other:
        mix(UInt64(bitPattern: status.size))
        mix(UInt64(bitPattern: Int64(status.modified.seconds)))
        mix(UInt64(bitPattern: Int64(status.modified.nanoseconds)))
      }
    }
  }

  private mutating func mix(_ word: UInt64) {
    a = (a ^ word) &* 0x9fb2_1c65_1e98_df25
    a ^= a >> 32
    b = (b &+ word) &* 0xd6e8_feb8_6659_fd93
    b ^= b >> 29
  }
}
