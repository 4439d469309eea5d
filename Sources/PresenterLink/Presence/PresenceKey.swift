import LinuxSystem

/// The four counters that stand for "somebody presents this path", or "…something inside it".
struct PresenceKey: Hashable, Sendable {
  enum Kind: UInt64 { case item = 0x243f_6a88_85a3_08d3, inside = 0x1319_8a2e_0370_7344 }

  /// How many counters there are: 2^20.
  static let slots = 1 << 20
  private let first: UInt64
  private let second: UInt64

  fileprivate init(_ hash: UInt64, _ kind: Kind) {
    first = Self.mix(hash ^ kind.rawValue)
    second = Self.mix(first &+ 0x9e37_79b9_7f4a_7c15)
  }

  /// Which counters; independent of each other, so that all four rarely belong to others.
  func slot(_ index: Int) -> Int {
    let word = index < 2 ? first : second
    return Int((word >> (index & 1 == 0 ? 0 : 32)) & UInt64(Self.slots - 1))
  }
  static let count = 4

  /// The last step of SplitMix64.
  private static func mix(_ value: UInt64) -> UInt64 {
    var x = value
    x = (x ^ (x >> 30)) &* 0xbf58_476d_1ce4_e5b9
    x = (x ^ (x >> 27)) &* 0x94d0_49bb_1331_11eb
    return x ^ (x >> 31)
  }

  /// The keys that a presenter of `path` adds to: its own, and "inside" of every directory above.
  static func presenting(_ path: FilePath) -> [PresenceKey] {
    var keys: [PresenceKey] = []
    visit(path) { hash, isWhole in
      keys.append(PresenceKey(hash, isWhole ? .item : .inside))
      return false
    }
    return keys
  }

  /// The key of the path itself.
  static func of(_ path: FilePath, _ kind: Kind) -> PresenceKey {
    var last: UInt64 = 0
    visit(path) { hash, _ in
      last = hash
      return false
    }
    return PresenceKey(last, kind)
  }

  /// Whether `matches` holds for the item key of the path or of a directory above it.
  static func anyUpwards(of path: FilePath, _ matches: (PresenceKey) -> Bool) -> Bool {
    visit(path) { hash, _ in matches(PresenceKey(hash, .item)) }
  }

  /// Hashes (FNV-1a, the same in every process and version) of each directory above, then of the
  /// whole, in one pass; stops when `stop` says so, and says whether it did.
  @discardableResult
  private static func visit(_ path: FilePath, _ stop: (UInt64, Bool) -> Bool) -> Bool {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    let bytes = path.bytes
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == .slash {
        if index == bytes.startIndex {
          // The root: a directory above, unless it is the whole path.
          let root = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
          if bytes.count > 1, stop(root, false) { return true }
        } else if stop(hash, false) {
          return true
        }
      }
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
      index += 1
    }
    return stop(hash, true)
  }
}
