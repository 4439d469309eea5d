import DocumentSource
import Foundation
import IconRendering
import LinuxSystem
import TestSupport
import Testing

/// Icons from a server of the test, over HTTP.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess)) struct IconLoadingTests
{
  private let directory: TemporaryDirectory
  private let server: IconServer
  private let loader: IconLoader

  init() async throws {
    directory = try TemporaryDirectory()
    let image = PixelImage(
      width: 58,
      height: 58,
      pixels: (0..<(58 * 58)).flatMap { _ in [10, 200, 30, 255] as [UInt8] }
    )
    let file = try Descriptor.open(directory.path.appending("icon.png"), [.writeOnly, .create])
    try file.write(try image.png())
    try File("appInfo.json", #"{"icons": [{"width": 58, "height": 58, "src": "img/icon.png"}]}"#)
      .write(into: directory.path)
    server = try await IconServer(serving: directory.path)
    loader = IconLoader(
      cacheDirectory: URL(fileURLWithPath: directory.path.appending("cache").description),
      timeLimit: 2
    )
  }

  private func url(_ path: String) throws -> URL {
    try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
  }

  /// The server has said what it is asked for before it answers; a thread of ours reads that.
  private func expectRequests(for path: String, _ count: Int) async throws {
    try await eventually("\(path) was asked for") { server.requests(path) >= count }
    #expect(server.requests(path) == count)
  }

  @Test func `an icon is loaded once, drawn round, and kept between runs`() async throws {
    let icon = try #require(try await loader.icon(describedAt: try url("/appInfo.json"), scale: 2))
    #expect(icon.width == 58 && icon.scale == 2)
    #expect(icon.pngData.starts(with: [0x89, 0x50]))
    #expect(icon.pixels[3] == 0, "the corner is clear")
    #expect(Array(icon.pixels[((29 * 58 + 29) * 4)...].prefix(4)) == [10, 200, 30, 255])
    let again = IconLoader(
      cacheDirectory: URL(fileURLWithPath: directory.path.appending("cache").description)
    )
    #expect(try await again.icon(describedAt: try url("/appInfo.json"), scale: 2) == icon)
    try await expectRequests(for: "/appInfo.json", 1)
    try await expectRequests(for: "/img/icon.png", 1)
    // A damaged file in the cache is made anew.
    for name in try FileSystem.list(directory.path.appending("cache")) {
      try Descriptor.open(
        directory.path.appending("cache").appending(name),
        [.writeOnly, .truncate]
      )
      .write(Array("damaged".utf8))
    }
    #expect(try await again.icon(describedAt: try url("/appInfo.json"), scale: 2) == icon)
    try await expectRequests(for: "/appInfo.json", 2)
  }

  @Test func `many who ask at once make one request`() async throws {
    let (loader, url) = (loader, try url("/appInfo.json"))
    let count = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { try await loader.icon(describedAt: url) != nil } }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(count == 20)
    try await expectRequests(for: "/appInfo.json", 1)
  }

  @Test func `a redirection is followed; nothing is asked for where there is no URL`() async throws
  {
    #expect(try await loader.icon(describedAt: try url("/once")) != nil)
    #expect(try await loader.icon(describedAt: nil) == nil)
  }

  @Test(arguments: [
    "/loop", "/ftp", "/file", "/missing", "/silent", "/cut", "/huge", "/endless", "/slow", "/html",
    "/list/|missing", "/list/|huge", "/list/|html", "/list/file:|||etc|passwd",
    "/list/|appInfo.json", "/list/|endless",
  ])
  func `a hostile server costs an error, and nobody hangs`(path: String) async throws {
    await #expect(throws: IconError.self) { try await loader.icon(describedAt: url(path)) }
  }

  /// Foundation ends the process for an answer about a redirection that comes after a cancellation.
  @Test func `a load may be given up at any moment of its redirections`() async throws {
    let url = try url("/loop")
    for moment in 0..<60 {
      let loader = IconLoader(
        cacheDirectory: URL(fileURLWithPath: directory.path.appending("none").description),
        timeLimit: 2
      )
      let load = Task { try await loader.icon(describedAt: url) }
      for _ in 0..<(moment * moment) { await Task.yield() }
      load.cancel()
      await #expect(throws: (any Error).self) { try await load.value }
    }
  }

  @Test func `nobody there, and schemes that are no web`() async throws {
    for text in ["http://127.0.0.1:1/x", "file:///etc/passwd", "ftp://x/y", "data:,x", "http:///x"]
    {
      let url = try #require(URL(string: text))
      await #expect(throws: IconError.self, "\(text)") { try await loader.icon(describedAt: url) }
    }
  }

  @Test func `the published class hands the icon to its handler`() async throws {
    let source = XDSDocumentSourceAttribute(
      bundleIdentifier: nil,
      applicationName: nil,
      documentPath: nil,
      appInfoURL: try url("/missing")
    )
    let (icon, error) = await withCheckedContinuation { continuation in
      source.loadIcon(.spotlight) { continuation.resume(returning: ($0, $1)) }
    }
    #expect(icon == nil && error is IconError)
  }
}
