import Foundation
import LinuxSystem

/// Has pictures written to a terminal by `picture-writer`, which knows what terminals can do.
///
/// A program of the package for what needs a desktop's libraries; it gets dots that were decoded already.
package struct PictureWriter: Sendable {
  /// How pictures are written.
  package enum Format: String, Sendable {
    /// As the environment says that the terminal can.
    case auto
    case sixel, kitty, iterm, blocks
  }

  private let program: FilePath
  private let format: Format
  /// More dots than this a terminal only gets slowly.
  private static let most = 1600
  /// What is written for one picture at most.
  private static let limit = 64 << 20

  /// Nil where it is not installed.
  package init?(_ format: Format = .auto) {
    guard let program = CompanionProgram.find("picture-writer") else { return nil }
    self.program = program
    self.format = format
  }

  /// How many dots have room in so many characters of our terminal.
  package func dots(columns: Int, rows: Int) -> (width: Int, height: Int) {
    let cell = StandardStream.cellSize ?? (8, 16)
    return (
      min(Self.most, max(1, columns * cell.width)), min(Self.most, max(1, rows * cell.height))
    )
  }

  /// What shows a picture, without a line feed at its end; blocks the calling thread until it was made.
  ///
  /// - Throws: ``DocumentInteractionError`` with what the program said, or what the system says.
  package func write(_ picture: DocumentPicture, columns: Int, rows: Int) throws -> String {
    var words = ["--format", format.rawValue]
    if let cell = StandardStream.cellSize, cell.width <= 200, cell.height <= 200 {
      words += ["--cell", "\(cell.width)x\(cell.height)"]
    }
    words += ["\(min(columns, 2000))", "\(min(rows, 2000))"]
    let head = Array("\(picture.width) \(picture.height)\n".utf8)
    let input = try MemoryFile.make(head + picture.bytes)
    let output = try MemoryFile.empty()
    let run = try ToolRun(program, words, input: input, output: output.number)
    guard run.status == 0 else {
      throw DocumentInteractionError(
        .notPreviewed,
        nil,
        "picture-writer could not write the picture: \(run.errors.firstLine)"
      )
    }
    let size = min(Int(try FileStatus(of: output).size), Self.limit)
    var bytes = try output.read(size, at: 0)
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
