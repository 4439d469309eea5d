/// A picture as dots: red, green and blue, a byte each, line by line.
public struct Pixels: Sendable {
  /// How wide and high a picture may be.
  public static let limit = 4096

  /// How wide it is, in dots.
  public let width: Int
  /// How high it is, in dots.
  public let height: Int
  /// Three bytes for each dot.
  public let bytes: [UInt8]

  /// Nil unless there are three bytes for each dot, and at most 4096 dots in both directions.
  public init?(width: Int, height: Int, bytes: [UInt8]) {
    let possible = 1...Self.limit
    guard possible.contains(width), possible.contains(height), bytes.count == width * height * 3
    else { return nil }
    self.width = width
    self.height = height
    self.bytes = bytes
  }
}
