// Writes a picture to a terminal, as well as that can show it.
//
//   picture-writer [--format FORMAT] [--cell WIDTHxHEIGHT] COLUMNS ROWS
//
// On standard input are dots that somebody has decoded: "WIDTH HEIGHT\n" and three bytes for each. No file
// is ever decoded in here. What goes to standard output is for the terminal that TERM, COLORTERM and what
// terminals set beside them describe, or in the FORMAT: auto, sixel, kitty, iterm, blocks.
// A character of the terminal is 8 by 16 dots if nothing else is said.
// Ends with 0; 65: the dots are not as many as they say; 64: wrong use; 74: they could not be written.

import Chafa
import Foundation

let usage =
  "usage: picture-writer [--format auto|sixel|kitty|iterm|blocks] [--cell WIDTHxHEIGHT] COLUMNS ROWS"

func stop(_ status: Int32, _ message: String) -> Never {
  FileHandle.standardError.write(Data("picture-writer: \(message)\n".utf8))
  exit(status)
}

/// What was asked for.
struct Wish {
  var format: PictureFormat?
  var area: CellArea

  init(_ words: [String]) {
    var numbers: [Int] = []
    var cell = (width: 8, height: 16)
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--format":
        let name = rest.popFirst() ?? ""
        format = PictureFormat(rawValue: name)
        if format == nil, name != "auto" { stop(64, "there is no format '\(name)'\n\(usage)") }
      case "--cell":
        let sizes = (rest.popFirst() ?? "").split(separator: "x", omittingEmptySubsequences: false)
          .map { Int($0) ?? 0 }
        guard sizes.count == 2 else { stop(64, "a cell is WIDTHxHEIGHT\n\(usage)") }
        cell = (sizes[0], sizes[1])
      default: numbers.append(Int(word) ?? 0)
      }
    }
    guard numbers.count == 2,
      let area = CellArea(
        columns: numbers[0],
        rows: numbers[1],
        cellWidth: cell.width,
        cellHeight: cell.height
      )
    else { stop(64, "no terminal has such an area\n\(usage)") }
    self.area = area
  }
}

/// The dots on standard input; nothing more is read than there may be.
func readPixels() -> Pixels {
  // Two numbers and what is between and behind them.
  let head = 16
  let most = head + Pixels.limit * Pixels.limit * 3
  var bytes = Data()
  do {
    while bytes.count <= most, let part = try FileHandle.standardInput.read(upToCount: 1 << 20),
      !part.isEmpty
    { bytes += part }
  } catch { stop(65, "standard input cannot be read: \(error.localizedDescription)") }
  guard let end = bytes.prefix(head).firstIndex(of: UInt8(ascii: "\n")) else {
    stop(65, "standard input does not begin with a width, a height and a line feed")
  }
  let numbers = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    .map { Int($0) ?? 0 }
  let possible = 1...Pixels.limit
  guard numbers.count == 2, numbers.allSatisfy(possible.contains) else {
    stop(65, "a picture has a width and a height of 1 to \(Pixels.limit) dots")
  }
  let dots = Array(bytes[(end + 1)...])
  let wanted = numbers[0] * numbers[1] * 3
  guard let pixels = Pixels(width: numbers[0], height: numbers[1], bytes: dots) else {
    stop(
      65,
      "\(numbers[0]) by \(numbers[1]) dots are \(wanted) bytes, but there are "
        + (dots.count < wanted ? "only \(dots.count): the picture is cut off" : "more")
    )
  }
  return pixels
}

let wish = Wish(Array(CommandLine.arguments.dropFirst()))
let terminal = PictureTerminal(
  environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
)
let bytes = terminal.write(readPixels(), in: wish.area, as: wish.format ?? terminal.format)
do {
  try FileHandle.standardOutput.write(contentsOf: Data(bytes))
} catch { stop(74, "the picture could not be written: \(error.localizedDescription)") }
