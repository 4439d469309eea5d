import LinuxSystem

/// Where lines for the reader go; every line is written at once, whole, by one call at a time.
final class Output: Sendable {
  private let sink: Mutex<@Sendable ([UInt8]) throws -> Void>

  init(_ sink: @escaping @Sendable ([UInt8]) throws -> Void) { self.sink = Mutex(sink) }

  /// Standard output or standard error.
  static func stream(_ stream: StandardStream) -> Output { Output { try stream.write($0) } }

  /// Writes `text` and a newline.
  func line(_ text: String) throws {
    let bytes = Array(text.utf8) + [UInt8(ascii: "\n")]
    try sink.withLock { try $0(bytes) }
  }

  /// Writes `text` as it is.
  func text(_ text: String) throws {
    let bytes = Array(text.utf8)
    try sink.withLock { try $0(bytes) }
  }
}
