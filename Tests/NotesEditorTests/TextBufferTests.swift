import Foundation
import NotesEditor
import Testing

struct TextBufferTests {
  @Test func `an empty text has one line, and takes what is typed`() {
    var text = TextBuffer()
    #expect(text.lineCount == 1 && text.range(ofLine: 0) == 0..<0)
    text.replace(0..<0, with: Array("a\nb".utf8))
    #expect(text.lineCount == 2)
    #expect(text.range(ofLine: 1) == 2..<3)
    text.replace(0..<3, with: [])
    #expect(text.count == 0 && text.lineCount == 1)
  }

  @Test func `two hundred random edits are those of an array`() {
    var generator = SystemRandomNumberGenerator()
    var bytes = Array(String(repeating: "some line\n", count: 2_000).utf8)
    var text = TextBuffer(Data(bytes))
    for _ in 0..<200 {
      let start = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(start + Int.random(in: 0...12_000, using: &generator), bytes.count)
      let new = (0..<Int.random(in: 0...12_000, using: &generator)).map { _ in
        UInt8.random(in: 9...11, using: &generator)
      }
      #expect(text.replace(start..<end, with: new) == Array(bytes[start..<end]))
      bytes.replaceSubrange(start..<end, with: new)
      #expect(text.count == bytes.count)
      #expect(text.lineCount == bytes.count { $0 == 10 } + 1)
    }
    #expect(Array(text.data) == bytes)
    let starts = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
    for line in stride(from: 0, to: starts.count, by: 997) {
      #expect(text.start(ofLine: line) == starts[line])
      #expect(text.line(at: starts[line]) == line)
    }
  }

  @Test func `wide characters, marks, tabs and bytes that are no text have their columns`() {
    let line = TextLine(Array("a漢e\u{301}\tb\u{1}".utf8))
    #expect(line.cells.map(\.width) == [1, 2, 1, 4, 1, 2])
    #expect(line.text(from: 0, columns: 20) == "a漢e\u{301}    b^A")
    #expect(line.text(from: 2, columns: 3) == " e\u{301}")
    let broken = TextLine([0x61, 0xff, 0x62])
    #expect(broken.cells.map(\.text) == ["a", "\u{fffd}", "b"])
    #expect(broken.cells.map(\.bytes) == [0..<1, 1..<2, 2..<3])
  }

  @Test func `a comparison shows what differs, and little of what does not`() {
    let same = (0..<100).map { "line \($0)\n" }.joined()
    let lines = LineComparison.lines(
      mine: Data((same + "mine\nboth\n" + same).utf8),
      theirs: Data((same + "theirs\nboth\nmore\n" + same).utf8)
    )
    #expect(lines.contains("- mine"))
    #expect(lines.contains("+ theirs"))
    #expect(lines.contains("  both"))
    #expect(lines.contains("+ more"))
    #expect(lines.count < 15)
  }
}
