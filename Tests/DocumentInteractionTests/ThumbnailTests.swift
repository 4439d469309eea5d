import Foundation
import Digests
import LinuxSystem
import TestSupport
import Testing

@testable import DesktopFiles
@testable import DocumentInteraction

/// Thumbnails, with `gio info` as the judge.
@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn) struct ThumbnailTests {
  let desktop: Desktop
  let cache: ThumbnailCache

  init() throws {
    desktop = try Desktop {}
    cache = ThumbnailCache(cacheHome: desktop.cache)
  }

  private func makePicture(_ name: String) throws -> FilePath {
    let file = desktop.file(name)
    let target = try Descriptor.open(file, [.writeOnly, .create, .truncate])
    var bytes = Array("P6 300 200 255\n".utf8)
    for index in 0..<(300 * 200) { bytes += [UInt8(index % 256), 100, 0] }
    try target.write(bytes)
    return file
  }

  private func gio(_ file: FilePath) async throws -> String {
    try await desktop.run("/usr/bin/gio", "info", "-a", "thumbnail::*", file.description).output
  }

  private func make(_ file: FilePath) async throws -> String {
    let result = try await desktop.filecoord("preview", "--thumbnail", file.description)
    return result.status == 0 ? String(result.output.dropLast()) : ""
  }

  @Test func `the name of a thumbnail is that of the specification`() {
    let cache = ThumbnailCache(cacheHome: FilePath("/c"))
    #expect(
      cache.path(of: FilePath("/home/jens/photos/me.png"), .normal).description
        == "/c/thumbnails/normal/c6ee772d9e49320e97ec29a7eb5b1697.png"
    )
  }

  @Test(arguments: ["", "a", "message digest", String(repeating: "1234567890", count: 8)])
  func `MD5 is what md5sum says`(_ text: String) async throws {
    try desktop.world.put("text", text)
    let line = try await desktop.run("/usr/bin/md5sum", desktop.path("text")).output
    let ours = String(decoding: Digest.md5Digits(of: Array(text.utf8)), as: UTF8.self)
    #expect(line.hasPrefix(ours))
  }

  @Test(arguments: ["a.ppm", "with space.ppm", "ü(1)&=+$,;#%.ppm", "'quoted'.ppm"])
  func `a thumbnail that we make is valid for GIO, and found by us`(_ name: String) async throws {
    let file = try makePicture(name)
    #expect(try cache.lookUp(file) == nil)
    let made = try await make(file)
    #expect(try cache.lookUp(file)?.description == made)
    let said = try await gio(file)
    #expect(said.contains("thumbnail::path: \(made)"))
    #expect(said.contains("thumbnail::is-valid: TRUE"))
    let status = try FileStatus(of: FilePath(made))
    #expect(status.permissions == 0o600)
    #expect(try FileStatus(of: desktop.cache.appending("thumbnails")).permissions == 0o700)
  }

  @Test func `a PDF has one of its first page`() async throws {
    let file = desktop.file("a.pdf")
    try desktop.put(
      file,
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        + "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        + "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\ntrailer<</Root 1 0 R>>\n"
    )
    #expect(try await make(file) != "")
    #expect(try await gio(file).contains("thumbnail::is-valid: TRUE"))
  }

  @Test func `one of an earlier state is not taken`() async throws {
    let file = try makePicture("a.ppm")
    _ = try await make(file)
    _ = try await desktop.run("/usr/bin/touch", "-d", "2001-02-03", file.description)
    #expect(try cache.lookUp(file) == nil)
    #expect(try await gio(file).contains("thumbnail::is-valid: FALSE"))
    _ = try await make(file)
    #expect(try cache.lookUp(file) != nil)
  }

  @Test func `a damaged thumbnail is not taken, and made anew`() async throws {
    let file = try makePicture("a.ppm")
    let made = FilePath(try await make(file))
    let whole = try Descriptor.open(made, .readOnly).readToEnd()
    for length in [0, 7, 8, 20, 40, 60] {
      let target = try Descriptor.open(made, [.writeOnly, .truncate])
      try target.write(whole.prefix(length))
      #expect(try cache.lookUp(file) == nil)
    }
    _ = try await make(file)
    #expect(try cache.lookUp(file) != nil)
  }

  @Test func `a picture that cannot be decoded is noted, until it changes`() async throws {
    let file = desktop.file("bad.png")
    try desktop.put(file, "\u{89}PNG, not really")
    try desktop.put(file, "no picture")
    #expect(try await make(file) == "")
    let status = try FileStatus(of: file)
    #expect(cache.hasFailed(file, status))
    _ = try await desktop.run("/usr/bin/touch", "-d", "2001-02-03", file.description)
    #expect(!cache.hasFailed(file, try FileStatus(of: file)))
  }

  @Test func `files of the cache itself have none`() async throws {
    let file = try makePicture("a.ppm")
    let made = FilePath(try await make(file))
    #expect(try await make(made) == "")
    #expect(
      try FileSystem.list(desktop.cache.appending("thumbnails").appending("normal")).count == 1
    )
  }

  @Test func `what a decoder says is taken over only as far as it is a thumbnail`() throws {
    let dot = PNGChunks.dot(texts: [("Thumb::URI", Array("file:///evil".utf8))])
    let built = try #require(
      PNGChunks.rebuild(dot, within: 1, texts: [("Thumb::URI", Array("x".utf8))])
    )
    #expect(PNGChunks.hasTexts([(Array("Thumb::URI".utf8), Array("x".utf8))], in: built) == true)
    #expect(!built.contains(Array("evil".utf8)))
    #expect(PNGChunks.rebuild(dot, within: 0, texts: []) == nil)
    #expect(PNGChunks.rebuild(Array(dot.dropLast(8)), within: 1, texts: []) == nil)
    #expect(PNGChunks.rebuild([1, 2, 3], within: 1, texts: []) == nil)
  }
}
