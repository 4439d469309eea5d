import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import DesktopPrograms

/// Desktop entries and MIME data with damage: nobody crashes, and what is sound still counts.
@Suite(.timeLimit(.minutes(3)), .serialized, .inTurn, .tags(.multiProcess))
struct DamagedDataTests {
  private static func cache() throws -> [UInt8] {
    try Descriptor.open(FilePath("/usr/share/mime/mime.cache"), .readOnly).readToEnd()
  }

  /// The cache with a word of its own at a place.
  private static func cache(_ at: Int, _ word: UInt32) throws -> [UInt8] {
    var bytes = try cache()
    for index in 0..<4 { bytes[at + index] = UInt8(truncatingIfNeeded: word >> (24 - 8 * index)) }
    return bytes
  }

  private static func word(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  @Test func `the system's own cache is sound, and one that is cut off or points outside is not`()
    throws
  {
    let whole = try Self.cache()
    #expect(MimeCache.isSound(whole))
    #expect(MimeCache.isSound([]))
    #expect(MimeCache.isSound(Array("no cache at all".utf8)))
    // Behind the last list that GIO reads there is one that it does not.
    let end = Self.word(whole, 40)
    for part in stride(from: 4, to: end - 1, by: end / 23) {
      let isSound = MimeCache.isSound(Array(whole.prefix(part)))
      #expect(!isSound, "\(part) bytes")
    }
    for place in stride(from: 4, to: 40, by: 4) {
      for word in [UInt32.max, UInt32(whole.count - 1)] {
        let isSound = MimeCache.isSound(try Self.cache(place, word))
        #expect(!isSound, "\(word) at \(place)")
      }
    }
  }

  @Test func `trees that go in circles are not sound`() throws {
    let whole = try Self.cache()
    // The first node of the suffixes and the first part of the contents become their own children.
    let suffixes = Self.word(whole, Self.word(whole, 16) + 4)
    #expect(!MimeCache.isSound(try Self.cache(suffixes + 8, UInt32(suffixes))))
    let match = Self.word(whole, Self.word(whole, 24) + 8)
    let part = Self.word(whole, match + 12)
    var bytes = try Self.cache(part + 24, 1)
    bytes[(part + 28)..<(part + 32)] = try Self.cache(0, UInt32(part))[0..<4]
    let isSound = MimeCache.isSound(bytes)
    #expect(!isSound)
  }

  @Test func `with a damaged cache among the user's data types come from the others`() async throws
  {
    let desktop = try Desktop { File("a.txt", "text") }
    try await desktop.installReceiver("sound")
    let place = desktop.data.appending("mime")
    try FileSystem.makeDirectory(place)
    let whole = try Self.cache()
    var damaged = [Array(whole.prefix(1000)), Array(whole.prefix(100_000))]
    for place in [8, 16, 24] { damaged.append(try Self.cache(place, .max)) }
    damaged.append(try Self.cache(Self.word(whole, 16), .max))
    for bytes in damaged {
      let file = try Descriptor.open(
        place.appending("mime.cache"),
        [.writeOnly, .create, .truncate]
      )
      try file.write(bytes)
      let apps = try await desktop.filecoord("apps", desktop.path("a.txt"))
      #expect(apps.status == 0, "\(apps.errors.prefix(300))")
      #expect(apps.output == "sound.desktop\tsound program\n")
      let preview = try await desktop.filecoord("preview", desktop.path("a.txt"))
      #expect(preview.output.contains("text/plain"))
    }
  }

  @Test func `an entry says nothing to the terminal`() async throws {
    let desktop = try Desktop { File("a.txt", "text") }
    try await desktop.install("evil", exec: "true %f")
    try desktop.put(
      desktop.data.appending("applications").appending("evil.desktop"),
      "[Desktop Entry]\nType=Application\nName=a\u{1b}[2J\\nb\\tc\nExec=true %f\n"
        + "MimeType=text/plain;\n"
    )
    let apps = try await desktop.filecoord("apps", desktop.path("a.txt"))
    #expect(apps.output == "evil.desktop\ta␛[2J␊b    c\n")
  }

  @Test(arguments: [
    "", "[Desktop Entry", "[Desktop Entry]\nType=Link\nURL=x\n",
    "[Desktop Entry]\nType=Application\nName=x\nExec=\nMimeType=text/plain;\n",
    "[Desktop Entry]\nType=Application\nName=x\nExec=true \"%f\nMimeType=text/plain;\n",
    "[Desktop Entry]\nType=Application\nName=x\nExec=true %\nMimeType=text/plain;\n",
    "[Desktop Entry]\nType=Application\nName=x\nTryExec=/nowhere\nExec=true\nMimeType=text/plain;\n",
    "\u{feff}[Desktop Entry]\nType=Application\nName=x\nExec=true\nMimeType=text/plain;\n",
  ])
  func `a damaged entry beside a sound one does no harm`(_ text: String) async throws {
    let desktop = try Desktop { File("a.txt", "text") }
    try await desktop.installReceiver("sound")
    let place = desktop.data.appending("applications")
    try desktop.put(place.appending("damaged.desktop"), text)
    try desktop.put(
      place.appending("mimeinfo.cache"),
      "[MIME Cache]\ntext/plain=damaged.desktop;sound.desktop;../../x.desktop;;\u{1b};\n"
    )
    let apps = try await desktop.filecoord("apps", desktop.path("a.txt"))
    #expect(apps.status == 0, "\(apps.errors)")
    #expect(apps.lines.contains("sound.desktop\tsound program"), "\(apps.output)")
    let opened = try await desktop.filecoord("open", "-w", "sound", desktop.path("a.txt"))
    #expect(opened.status == 0, "\(opened.errors)")
    #expect(try await desktop.received("sound").arguments == [desktop.path("a.txt")])
  }

  @Test func `a file that vanishes while it is previewed is an error, not a crash`() async throws {
    let desktop = try Desktop {}
    let picture = Array("P6 400 400 255\n".utf8) + [UInt8](repeating: 9, count: 480_000)
    for round in 0..<6 {
      let name = "\(round).ppm"
      let file = try Descriptor.open(desktop.file(name), [.writeOnly, .create])
      try file.write(picture)
      let preview = try LineProcess(
        World.product("filecoord"),
        ["preview", desktop.path(name)],
        environment: desktop.environment,
        withErrors: true
      )
      // At another moment each time: also before it began.
      for _ in 0..<(round * 40) { await Task.yield() }
      try FileSystem.removeFile(desktop.file(name))
      guard case .exited(let status) = try await preview.end() else {
        Issue.record("\(preview.lines)")
        continue
      }
      #expect([0, 1, 66].contains(status), "\(preview.lines)")
    }
  }
}
