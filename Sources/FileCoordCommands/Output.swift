import LinuxSystem

/// Where lines for the reader go; every line is written at once, whole, by one call at a time.
final class Output: Sendable {
  private let sink: @Sendable ([UInt8]) throws -> Void
  /// Held while a line is written.
  ///
  /// The function itself is no value for a lock: every access would wrap it once more.
  private let turn = Mutex(())

  init(_ sink: @escaping @Sendable ([UInt8]) throws -> Void) { self.sink = sink }

  /// Standard output or standard error.
  static func stream(_ stream: StandardStream) -> Output { Output { try stream.write($0) } }

  /// Writes `text` and a newline.
  func line(_ text: String) throws {
    let bytes = Array(text.utf8) + [UInt8(ascii: "\n")]
    try turn.withLock { _ in try sink(bytes) }
  }

  /// Writes `text` as it is.
  func text(_ text: String) throws {
    let bytes = Array(text.utf8)
    try turn.withLock { _ in try sink(bytes) }
  }
}
