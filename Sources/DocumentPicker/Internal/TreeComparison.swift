import LinuxSystem

/// Whether two items hold the same, name by name and byte by byte.
enum TreeComparison {
  static func areEqual(_ a: FilePath, _ b: FilePath) throws -> Bool {
    let (one, other) = (try FileStatus(of: a), try FileStatus(of: b))
    guard one.kind == other.kind else { return false }
    switch one.kind {
    case .regular:
      return one.size == other.size ? try haveEqualBytes(a, b) : false
    case .directory:
      let (names, others) = (Set(try FileSystem.list(a)), Set(try FileSystem.list(b)))
      return try names == others
        && names.allSatisfy { try areEqual(a.appending($0), b.appending($0)) }
    case .link: return try FileSystem.readLink(a) == FileSystem.readLink(b)
    case .other: return true
    }
  }

  private static func haveEqualBytes(_ a: FilePath, _ b: FilePath) throws -> Bool {
    let one = try Descriptor.open(a, [.readOnly, .noFollow])
    let other = try Descriptor.open(b, [.readOnly, .noFollow])
    var offset = 0
    while true {
      let part = try one.read(1 << 16, at: offset)
      guard try other.read(1 << 16, at: offset) == part else { return false }
      if part.isEmpty { return true }
      offset += part.count
    }
  }
}
