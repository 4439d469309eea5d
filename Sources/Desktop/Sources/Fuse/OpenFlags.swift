import Glibc

/// How a file is opened.
///
/// - SeeAlso: open(2)
public struct OpenFlags: Sendable {
  let raw: Int32
  init(raw: Int32) { self.raw = raw }

  /// Only for reading.
  public static let reading = OpenFlags(raw: O_RDONLY)
  /// Only for writing.
  public static let writing = OpenFlags(raw: O_WRONLY)

  /// Whether what is in the file may change.
  public var writes: Bool { raw & O_ACCMODE != O_RDONLY || truncates }
  /// Whether the file's contents go at once.
  public var truncates: Bool { raw & O_TRUNC != 0 }
  /// Whether the file must not be there.
  public var isExclusive: Bool { raw & O_EXCL != 0 }
  /// The same, making a file that is not there.
  public var creating: OpenFlags { OpenFlags(raw: raw | O_CREAT) }
}

/// Flags of a change of names.
///
/// - SeeAlso: renameat2(2)
public struct RenameFlags: Sendable {
  /// The bits.
  public let raw: UInt32
  /// Whether both items stay, each with the other's name.
  public var exchanges: Bool { raw & 2 != 0 }
}
