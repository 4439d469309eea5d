import DesktopFiles
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import DocumentInteraction

@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn) struct PreviewTests {
  private func preview(_ bytes: [UInt8], _ name: String = "a.txt") async throws -> DocumentPreview {
    let place = try TemporaryDirectory()
    let path = place.path.appending(name)
    let file = try Descriptor.open(path, [.writeOnly, .create])
    try file.write(bytes)
    return try await OwnThread.run {
      try DocumentPreview.make(of: URL(fileURLWithPath: path.description))
    }
  }

  @Test(
    arguments: [
      (Array("plain".utf8), "plain", "ASCII"), (Array("grün".utf8), "grün", "UTF-8"),
      ([0xef, 0xbb, 0xbf] + Array("mark".utf8), "mark", "UTF-8"),
      ([0xff, 0xfe, 0x61, 0, 0xfc, 0], "aü", "UTF-16"),
      ([0xfe, 0xff, 0, 0x61, 0, 0xfc], "aü", "UTF-16"),
      ([0x61, 0, 0x62, 0, 0x63, 0, 0x64, 0], "abcd", "UTF-16"),
      ([0x67, 0x72, 0xfc, 0x6e], "grün", "Windows-1252"),
      ([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], "a", "UTF-32"),
    ] as [([UInt8], String, String)]
  )
  func `text is found in its encoding`(_ bytes: [UInt8], _ text: String, _ encoding: String)
    async throws
  {
    guard case .text(let found, let name, let isWhole) = try await preview(bytes).content else {
      Issue.record("no text")
      return
    }
    #expect(found == text)
    #expect(name == encoding)
    #expect(isWhole)
  }

  @Test func `a long text is shown up to a limit, never with half a character at its end`()
    async throws
  {
    let long = String(repeating: "ü", count: 400_000)
    let bytes = Array(("a" + long).utf8)
    guard case .text(let text, _, let isWhole) = try await preview(bytes).content else {
      Issue.record("no text")
      return
    }
    #expect(!isWhole)
    #expect(text.utf8.count > 200_000)
    #expect(!text.unicodeScalars.contains("\u{fffd}"))
  }

  @Test func `directories and what nothing can show have facts`() async throws {
    let place = try TemporaryDirectory()
    let url = URL(fileURLWithPath: place.path.description, isDirectory: true)
    #expect(!DocumentPreview.canPreview(url, "inode/directory"))
    let preview = try DocumentPreview.make(of: url)
    #expect(preview.facts.contains { $0.name == "Contents" && $0.value == "0 items" })
    #expect(!DocumentPreview.canPreview(url, "application/zip"))
    let random = try await self.preview([0, 1, 2, 3, 255, 254, 7], "a.bin")
    guard case .none = random.content else {
      Issue.record("there is something to see")
      return
    }
    #expect(random.facts.contains { $0.name == "Size" && $0.value == "7 bytes" })
  }

  @Test func `a picture is decoded, and never bigger than asked for`() async throws {
    let place = try TemporaryDirectory()
    let path = place.path.appending("a.ppm")
    let file = try Descriptor.open(path, [.writeOnly, .create])
    var bytes = Array("P6 40 20 255\n".utf8)
    for _ in 0..<(40 * 20) { bytes += [255, 0, 0] }
    try file.write(bytes)
    let url = URL(fileURLWithPath: path.description)
    let preview = try await OwnThread.run {
      try DocumentPreview.make(of: url, width: 10, height: 10)
    }
    guard case .picture(let picture) = preview.content else {
      Issue.record("no picture")
      return
    }
    #expect(picture.width == 10 && picture.height == 5)
    #expect(picture[5, 2].red > 250 && picture[5, 2].green < 5)
    #expect(picture.original == DocumentPicture.Size(width: 40, height: 20))
    #expect(preview.lines(columns: 20, rows: 20, hasColours: true).joined().contains("38;2;25"))
  }

  private static let page = """
    %PDF-1.4
    1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
    2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
    3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R>>endobj
    4 0 obj<</Length 30>>stream
    1 0 0 rg 0 0 200 100 re f    .
    endstream
    endobj
    trailer<</Root 1 0 R>>

    """

  @Test func `of a PDF the first page is shown`() async throws {
    let preview = try await preview(Array(Self.page.utf8), "a.pdf")
    #expect(DocumentPreview.canPreview(preview.url, "application/pdf"))
    guard case .picture(let picture) = preview.content else {
      Issue.record("no picture")
      return
    }
    #expect(picture.width == 2 * picture.height)
    #expect(picture[5, 5].red > 250 && picture[5, 5].green < 5)
    guard case .none = try await self.preview(Array("%PDF-1.4\nnothing".utf8), "b.pdf").content
    else {
      Issue.record("a PDF without a page has a picture")
      return
    }
  }

  /// A PNG that claims a size and has nothing of it.
  private static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    func word(_ n: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: n >> $0) } }
    func crc(_ bytes: [UInt8]) -> UInt32 {
      var value = UInt32.max
      for byte in bytes {
        value ^= UInt32(byte)
        for _ in 0..<8 { value = value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
      }
      return ~value
    }
    let head = Array("IHDR".utf8) + word(width) + word(height) + [8, 6, 0, 0, 0]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + head + word(crc(head))
  }

  private static let bombs: [(String, [UInt8])] = [
    ("huge.png", png(1 << 30, 1 << 30)), ("wide.png", png(2_000_000_000, 1)),
    ("empty.png", []), ("cut.png", png(10, 10)),
    ("huge.ppm", Array("P6 60000 60000 255\n".utf8)),
    ("huge.gif", Array("GIF89a".utf8) + [0xff, 0xff, 0xff, 0xff, 0, 0, 0]),
    ("huge.bmp", Array("BM".utf8) + [UInt8](repeating: 0xff, count: 60)),
    (
      "deep.svg",
      Array(
        ("<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'>"
          + String(repeating: "<g>", count: 200_000)).utf8
      )
    ),
    (
      "laughs.svg",
      Array(
        ("<!DOCTYPE svg [<!ENTITY a0 'ha'>"
          + (1...40).map { "<!ENTITY a\($0) '&a\($0 - 1);&a\($0 - 1);'>" }.joined()
          + "]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text>&a40;</text></svg>")
          .utf8
      )
    ),
    (
      "self.svg",
      Array(
        ("<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink' width='9'"
          + " height='9'><image x:href='file:///etc/passwd' width='9' height='9'/>"
          + "<g id='a'><use x:href='#a'/></g></svg>").utf8
      )
    ),
  ]

  @Test(arguments: bombs.indices)
  func `a hostile picture at worst has no preview`(_ index: Int) async throws {
    let (name, bytes) = Self.bombs[index]
    let preview = try await preview(bytes, name)
    #expect(!preview.facts.isEmpty)
    #expect(preview.lines(columns: 80, rows: 24, hasColours: true).count > 1)
  }

  @Test func `what is in a file or its name never reaches the terminal as a command`() async throws
  {
    let preview = try await preview(
      Array("\u{1b}[31mred\u{7}\u{9b}31m\u{202e}".utf8),
      "a\u{1b}]0;x.txt"
    )
    let text = preview.lines(columns: 80, rows: 24, hasColours: false).joined()
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 && !(127..<160).contains($0.value) })
    #expect(!text.contains("\u{202e}"))
  }

  @Test func `without a decoder pictures have facts only`() {
    let none = PictureDecoder(FilePath("/no/such/decoder"))
    #expect(!none.knows("image/png"))
    #expect(none.decode(FilePath("/dev/null"), "image/png", width: 1, height: 1) == nil)
  }

  @Test func `the decoder can read no other file, write none and start nothing`() async throws {
    // What it is given besides is what it would need: only the descriptor of the picture is open.
    let desktop = try Desktop { File("secret.txt", "secret") }
    let decoder = try World.product("preview-decoder")
    let trace = try await desktop.run(
      "/bin/sh",
      "-c",
      // It may write into a pipe, not into a file.
      "strace -e trace=landlock_restrict_self,prctl -- \"$1\" types | cat",
      "sh",
      decoder.description
    )
    #expect(trace.errors.contains("landlock_restrict_self"))
    #expect(trace.errors.contains("PR_SET_NO_NEW_PRIVS"))
    #expect(trace.output.contains("image/png"))
  }

  // MARK: picture-writer

  /// A picture-writer of the test's own, which says what it got.
  private func desktopWithWriter(_ script: String) throws -> Desktop {
    let desktop = try Desktop { File("dot.ppm", "P3 2 1 255 255 0 0 0 0 255\n") }
    try desktop.installTool("picture-writer", script)
    return desktop
  }

  @Test func `a picture goes to picture-writer as dots, with the format and the room`() async throws
  {
    let desktop = try desktopWithWriter("echo \"<$*>\"; head -1; tail -c 6 | od -An -tx1")
    let result = try await desktop.filecoord(
      "preview",
      "--pictures=sixel",
      desktop.path("dot.ppm")
    )
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.lines.first == "dot.ppm")
    // 24 lines without the name, the facts and what stands between.
    #expect(result.lines[1].wholeMatch(of: /<--format sixel 80 1\d>/) != nil, "\(result.output)")
    #expect(result.lines[2] == "2 1")
    #expect(result.lines[3].contains("ff 00 00 00 00 ff"))
    #expect(result.lines[4].hasPrefix("Kind: "))
  }

  @Test func `where nobody sees it, or asks for it plainly, a picture is in blocks of ours`()
    async throws
  {
    let desktop = try desktopWithWriter("touch '/nowhere'; echo never")
    for words in [["preview"], ["preview", "-p", "plain"]] {
      let result = try await desktop.run(
        World.product("filecoord").description,
        words + [desktop.path("dot.ppm")]
      )
      #expect(result.status == 0)
      #expect(!result.output.contains("never"))
      #expect(result.output.contains { "░▒▓█".contains($0) }, "\(result.output)")
    }
  }

  @Test func `what picture-writer says, or its absence, is told to whoever asked for it`()
    async throws
  {
    let desktop = try desktopWithWriter("echo 'picture-writer: no' >&2; exit 65")
    let failed = try await desktop.filecoord("preview", "-p", "kitty", desktop.path("dot.ppm"))
    #expect(failed.status == 1)
    #expect(failed.errors.contains("could not write the picture: picture-writer: no"))
    let unknown = try await desktop.filecoord("preview", "-p", "gif", desktop.path("dot.ppm"))
    #expect(unknown.status == 64)
    let none = try Desktop { File("dot.ppm", "P3 1 1 255 0 0 0\n") }
    let missing = try await none.filecoord("preview", "-p", "auto", none.path("dot.ppm"))
    #expect(missing.status == 127)
    #expect(missing.errors.contains("picture-writer is not installed"), "\(missing.errors)")
  }
}
