/// A path in a folder, as bytes: no slash at either end, nothing at all for the folder itself.
public struct ItemPath: Hashable, Sendable, CustomStringConvertible {
  /// The bytes, which need not be UTF-8.
  public let bytes: [UInt8]

  /// The path of these bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }
  /// The path of this text.
  public init(_ text: String) { bytes = Array(text.utf8) }
  /// The folder itself.
  public static let root = ItemPath([])

  private static let slash = UInt8(ascii: "/")

  /// Whether it is the folder itself.
  public var isRoot: Bool { bytes.isEmpty }
  /// The last part.
  public var name: [UInt8] { Array(bytes.suffix(from: nameStart)) }
  private var nameStart: Int { bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0 }
  /// What it lies in; the folder lies in itself.
  public var parent: ItemPath { ItemPath(Array(bytes.prefix(max(nameStart - 1, 0)))) }
  /// An item in it.
  public func appending(_ name: [UInt8]) -> ItemPath {
    ItemPath(isRoot ? name : bytes + [Self.slash] + name)
  }
  /// Its parts.
  public var components: [[UInt8]] { bytes.split(separator: Self.slash).map(Array.init) }
  /// Whether it lies below another.
  public func isInside(_ other: ItemPath) -> Bool {
    other.isRoot ? !isRoot : bytes.starts(with: other.bytes + [Self.slash])
  }
  /// The folders that it lies in, from the top, without the root.
  public var ancestors: [ItemPath] {
    bytes.indices.filter { bytes[$0] == Self.slash }.map { ItemPath(Array(bytes.prefix($0))) }
  }
  /// As text, for people.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
