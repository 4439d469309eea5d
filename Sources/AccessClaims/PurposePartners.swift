package import LinuxSystem

/// The way to the claim tables of other processes, for claims of one purpose that meet in two.
package protocol PurposePartners: AnyObject, Sendable {
  /// Sends bytes to another process's ``ClaimTable/serve(_:reply:)`` and gives back what it replied.
  ///
  /// Blocks the calling thread, which is one of the claim table's. Nil: it cannot be reached, does
  /// not understand, or did not reply until `deadline`.
  func request(_ bytes: [UInt8], of process: ProcessIdentity, until deadline: MonotonicInstant)
    -> (bytes: [UInt8], descriptors: [SharedDescriptor])?
}

/// What one claim table asks another.
struct PartnerRequest: Sendable {
  enum Kind: UInt8, Sendable {
    /// A duplicate of the description that holds a node exclusively.
    case join = 1
    /// The same, after the reads of that purpose were turned into a write.
    case upgrade = 2
  }
  let kind: Kind
  let node: NodeKind
  let mode: LockMode
  let path: FilePath
  let purpose: String

  init(_ kind: Kind, _ key: NodeKey, _ mode: LockMode, purpose: String) {
    self.kind = kind
    node = key.kind
    self.mode = mode
    path = key.path
    self.purpose = purpose
  }

  /// Version, kind, node, mode, length of the path in two bytes, path, purpose.
  var bytes: [UInt8] {
    [
      2, kind.rawValue, node.rawValue, mode == .shared ? 0 : 1,
      UInt8(path.count & 255),
      UInt8(path.count >> 8),
    ] + path.bytes + Array(purpose.utf8)
  }

  /// Reads what came from another process; nil for what is no request of this version.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > 6, bytes.count < 16384, bytes[0] == 2, let kind = Kind(rawValue: bytes[1]),
      let node = NodeKind(rawValue: bytes[2]), bytes[3] < 2
    else { return nil }
    let length = Int(bytes[4]) | Int(bytes[5]) << 8
    guard bytes.count >= 6 + length,
      let purpose = String(validating: bytes[(6 + length)...], as: UTF8.self)
    else { return nil }
    self.kind = kind
    self.node = node
    mode = bytes[3] & 1 == 0 ? .shared : .exclusive
    path = FilePath(bytes: bytes[6..<6 + length])
    self.purpose = purpose
  }
}
