import Foundation
import LinuxSystem

/// Menus and previews as plain lines, where standard input and output are a terminal.
///
/// A menu is a list of numbers; an empty line puts it away. A preview ends with Enter.
@MainActor public final class LineFrontEnd: DocumentInteractionFrontEnd {
  /// Nil where there is no terminal.
  public init?() {
    guard StandardStream.isTerminal else { return nil }
  }

  /// Prints the menu and reads a number.
  public func choose(from menu: DocumentMenu) async -> DocumentMenu.Choice? {
    let lines = menu.entries.enumerated().map { "\($0 + 1)) \($1.title)" }
    write(
      ([TerminalText.plain(menu.title)] + lines.map(TerminalText.plain)).joined(separator: "\n")
    )
    while true {
      write("Number, or Enter for none: ", newline: false)
      guard let line = await readLine(), !line.isEmpty else { return nil }
      if let number = Int(line), menu.entries.indices.contains(number - 1) {
        return menu.entries[number - 1].choice
      }
    }
  }

  /// Prints what there is to see, and waits for Enter.
  public func show(_ preview: DocumentPreview) async throws {
    let writer = PictureWriter()
    let size = StandardStream.terminalSize
    let lines = try await OwnThread.run {
      preview.lines(columns: size.columns, rows: size.rows, hasColours: false) {
        picture,
        columns,
        rows in
        // What cannot be written so is shown in blocks.
        try? writer?.write(picture, columns: columns, rows: rows)
      }
    }
    write(lines.joined(separator: "\n"))
    write("Enter goes on ", newline: false)
    _ = await readLine()
  }

  private func write(_ text: String, newline: Bool = true) {
    // A terminal that is gone shows nothing; reading then ends as well.
    try? StandardStream.output.write(Array((newline ? text + "\n" : text).utf8))
  }

  private func readLine() async -> String? {
    let input = LineInput()
    return await withTaskCancellationHandler {
      // No thread: nobody can answer.
      try? await OwnThread.run { input.line() }
    } onCancel: {
      input.cancel()
    }
  }
}

/// One line of standard input, which need not be waited for to the end.
private final class LineInput: Sendable {
  private let poll = try? EventPoll()
  private let isCancelled = Mutex(false)

  func cancel() {
    isCancelled.withLock { $0 = true }
    poll?.wake()
  }

  /// Nil at the end of the input.
  func line() -> String? {
    guard let poll, (try? poll.add(0)) != nil else { return nil }
    var bytes: [UInt8] = []
    while !isCancelled.withLock({ $0 }) {
      guard poll.wait(until: nil).contains(0) else { continue }
      // One by one: what follows the line is for whoever reads next.
      guard let byte = try? StandardStream.Input().read(upTo: 1).first else { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
      if bytes.count > 1000 { return nil }
    }
    return nil
  }
}
