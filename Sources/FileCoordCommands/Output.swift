import DocumentInteraction
import LinuxSystem

/// Where lines for the reader go; every line is written at once, whole, by one call at a time.
final class Output: Sendable {
  private let sink: @Sendable ([UInt8]) throws -> Void
  private let isTerminal: Bool
  /// Held while a line is written.
  ///
  /// The function itself is no value for a lock: every access would wrap it once more.
  private let turn = Mutex(())

  init(isTerminal: Bool = false, _ sink: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.sink = sink
    self.isTerminal = isTerminal
  }

  /// Standard output or standard error.
  static func stream(_ stream: StandardStream) -> Output {
    Output(isTerminal: stream.reachesTerminal) { try stream.write($0) }
  }

  /// Writes a line for people: one line whatever names are in it, and nothing that a terminal obeys.
  func line(_ text: String) throws { try encoded(TerminalText.plain(text)) }

  /// Writes `text`, which has no control characters that it should not have, and a newline.
  func encoded(_ text: String) throws { try write(Array(text.utf8) + [.newline]) }

  /// Writes a path with every byte of it, as a program takes it; for people where they see it.
  func path(_ path: FilePath, _ suffix: String = "") throws {
    if isTerminal { return try line("\(path)\(suffix)") }
    try write(path.bytes + Array(suffix.utf8) + [.newline])
  }

  /// Writes `text` as it is.
  func text(_ text: String) throws { try write(Array(text.utf8)) }

  private func write(_ bytes: [UInt8]) throws { try turn.withLock { _ in try sink(bytes) } }
}

extension UInt8 {
  fileprivate static let newline = UInt8(ascii: "\n")
}
