import Chafa
import Testing

struct PictureTerminalTests {
  /// Red above blue.
  private static let picture = Pixels(
    width: 16,
    height: 16,
    bytes: (0..<256).flatMap { $0 < 128 ? [255, 0, 0] as [UInt8] : [0, 0, 255] }
  )

  /// White above black.
  private static let contrast = Pixels(
    width: 16,
    height: 16,
    bytes: (0..<768).map { $0 < 384 ? 255 : 0 }
  )

  private func text(
    _ environment: [String],
    _ format: PictureFormat? = nil,
    columns: Int = 8,
    rows: Int = 4,
    of picture: Pixels? = picture
  ) throws -> String {
    let terminal = PictureTerminal(environment: environment)
    let picture = try #require(picture)
    let area = try #require(CellArea(columns: columns, rows: rows))
    let bytes = terminal.write(picture, in: area, as: format ?? terminal.format)
    return try #require(String(validating: bytes, as: UTF8.self))
  }

  @Test(arguments: [
    (["TERM=xterm-kitty", "KITTY_PID=1"], PictureFormat.kitty),
    (["TERM=xterm-256color", "TERM_PROGRAM=iTerm.app"], .iterm),
    (["TERM=mlterm"], .sixel),
    (["TERM=foot", "COLORTERM=truecolor"], .sixel),
    (["TERM=xterm-256color"], .blocks),
    (["TERM=linux"], .blocks),
    (["TERM=dumb"], .blocks),
    (["TERM=no-such-terminal"], .blocks),
    ([], .blocks),
    // The terminal is kitty, but what draws is not.
    (["TERM=tmux-256color", "TMUX=/tmp/x,1,0", "KITTY_PID=1"], .blocks),
    (["TERM=screen-256color", "COLORTERM=truecolor"], .blocks),
  ])
  func `a terminal gets the best that it knows`(_ environment: [String], _ format: PictureFormat) {
    #expect(PictureTerminal(environment: environment).format == format)
  }

  @Test(arguments: [
    (PictureFormat.sixel, "\u{1b}P0;1;0q", "\u{1b}\\\n"),
    (.kitty, "\u{1b}_Ga=T,f=32,s=16,v=16,c=2,r=1,m=1\u{1b}\\", "\u{1b}_Gm=0\u{1b}\\\n"),
    (.iterm, "\u{1b}]1337;File=inline=1;width=2;height=1;preserveAspectRatio=0:", "\u{7}\n"),
  ])
  func `a format that is asked for is written, whatever the terminal`(
    _ format: PictureFormat,
    _ beginning: String,
    _ end: String
  ) throws {
    for environment in [["TERM=dumb"], ["TERM=xterm-kitty"], []] {
      let text = try text(environment, format)
      #expect(text.hasPrefix(beginning), "\(text.prefix(80).debugDescription)")
      #expect(text.hasSuffix(end), "\(text.suffix(20).debugDescription)")
    }
  }

  @Test func `blocks have the terminal's colours`() throws {
    let direct = try text(["TERM=xterm-256color", "COLORTERM=truecolor"])
    #expect(direct.contains("38;2;") || direct.contains("48;2;"), "\(direct.debugDescription)")
    let indexed = try text(["TERM=screen-256color"])
    #expect(indexed.contains("38;5;") || indexed.contains("48;5;"), "\(indexed.debugDescription)")
    #expect(!indexed.contains(";2;"))
  }

  @Test(arguments: [["TERM=dumb"], ["TERM=vt100"], ["TERM=linux-m"], []])
  func `a terminal that knows nothing gets characters and nothing else`(_ environment: [String])
    throws
  {
    let text = try text(environment, of: Self.contrast)
    #expect(!text.utf8.contains(0x1b))
    let lines = text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.count == 8 })
    #expect(lines.first == "████████")
    #expect(lines.last == "        ")
  }

  @Test func `a picture keeps its shape and is never bigger than it is`() throws {
    let kitty = try text(["TERM=xterm-kitty"], columns: 200, rows: 100)
    #expect(kitty.contains("c=2,r=1"))
    let blocks = try text([], columns: 200, rows: 100).split(separator: "\n")
    #expect(blocks.count == 8)
    #expect(blocks.allSatisfy { $0.count == 16 })
  }

  @Test func `what is no picture and no area is none`() {
    #expect(Pixels(width: 0, height: 1, bytes: []) == nil)
    #expect(Pixels(width: 1, height: 1, bytes: [1, 2]) == nil)
    #expect(Pixels(width: 4097, height: 1, bytes: .init(repeating: 0, count: 4097 * 3)) == nil)
    #expect(Pixels(width: .max, height: .max, bytes: []) == nil)
    #expect(CellArea(columns: 0, rows: 1) == nil)
    #expect(CellArea(columns: 1, rows: 1, cellWidth: 0, cellHeight: 1) == nil)
    #expect(CellArea(columns: 1 << 40, rows: 1) == nil)
  }
}
