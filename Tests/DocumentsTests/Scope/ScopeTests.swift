import FileCoordination
import Foundation
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct ScopeTests {
  private let folder: Folder
  init() throws {
    folder = try Folder {
      Directory("d") { File("f") }
      File("plain", "p")
    }
  }

  private func granted(_ name: String) throws -> URL {
    var isStale = false
    return try URL(
      resolvingBookmarkData: folder.url(name).bookmarkData(),
      options: .withoutImplicitStartAccessing,
      bookmarkDataIsStale: &isStale
    )
  }

  @Test
  func `statement 68 and case E07: access lasts until the last stop, one too many is ignored`()
    throws
  {
    let url = try granted("d/f")
    url.stopAccessingSecurityScopedResource()
    #expect(url.startAccessingSecurityScopedResource())
    #expect(url.startAccessingSecurityScopedResource())
    url.stopAccessingSecurityScopedResource()
    #expect(ScopeRegistry.shared.isAccessed(url))
    url.stopAccessingSecurityScopedResource()
    #expect(!ScopeRegistry.shared.isAccessed(url))
    url.stopAccessingSecurityScopedResource()
    #expect(url.startAccessingSecurityScopedResource())
    #expect(ScopeRegistry.shared.isAccessed(url))
    url.stopAccessingSecurityScopedResource()
  }

  @Test func `field case E08: a plain URL has no scope, and is readable without`() throws {
    let url = folder.url("plain")
    #expect(!url.startAccessingSecurityScopedResource())
    #expect(try Data(contentsOf: url) == Data("p".utf8))
    url.stopAccessingSecurityScopedResource()
  }

  @Test func `access to a directory is access to what is in it, under any spelling`() throws {
    let directory = try granted("d")
    let inside = folder.url("d/f")
    #expect(inside.startAccessingSecurityScopedResource())
    #expect(ScopeRegistry.shared.isAccessed(directory))
    let spelled = URL(fileURLWithPath: folder.path("d").description + "/x/.././/f")
    spelled.stopAccessingSecurityScopedResource()
    #expect(!ScopeRegistry.shared.isAccessed(directory))
    #expect(!folder.url("dd").startAccessingSecurityScopedResource())
  }

  @Test func `a plain bookmark's access is begun by resolving it`() throws {
    var isStale = false
    let url = try URL(
      resolvingBookmarkData: folder.url("d/f").bookmarkData(),
      bookmarkDataIsStale: &isStale
    )
    #expect(ScopeRegistry.shared.isAccessed(url))
    url.stopAccessingSecurityScopedResource()
    #expect(!ScopeRegistry.shared.isAccessed(url))
    let without = try folder.url("plain").bookmarkData(options: .withoutImplicitSecurityScope)
    let plain = try URL(resolvingBookmarkData: without, bookmarkDataIsStale: &isStale)
    #expect(!plain.startAccessingSecurityScopedResource())
  }

  @Test func `access ends with the closure that has it`() throws {
    let url = try granted("d/f")
    let isAccessed = url.withSecurityScope { ScopeRegistry.shared.isAccessed(url) }
    #expect(isAccessed && !ScopeRegistry.shared.isAccessed(url))
  }

  @Test func `field case E06: a hundred thousand balanced pairs hold nothing`() throws {
    let url = try granted("d/f")
    for _ in 0..<100_000 {
      #expect(url.startAccessingSecurityScopedResource())
      url.stopAccessingSecurityScopedResource()
    }
    #expect(!ScopeRegistry.shared.isAccessed(url))
    // Five thousand without an end hold one descriptor, and keep nobody from more.
    for _ in 0..<5_000 { _ = url.startAccessingSecurityScopedResource() }
    let other = try granted("plain")
    #expect(other.startAccessingSecurityScopedResource())
    other.stopAccessingSecurityScopedResource()
    for _ in 0..<5_000 { url.stopAccessingSecurityScopedResource() }
    #expect(!ScopeRegistry.shared.isAccessed(url))
  }

  @Test func `field case E03: replaced, resolved and made anew a hundred times, nothing piles up`()
    throws
  {
    var data = try folder.url("plain").bookmarkData()
    for round in 0..<100 {
      try folder.replace("plain", "\(round)")
      var isStale = false
      let url = try URL(
        resolvingBookmarkData: data,
        options: .withoutImplicitStartAccessing,
        bookmarkDataIsStale: &isStale
      )
      #expect(isStale)
      data = try url.withSecurityScope { try url.bookmarkData() }
      _ = try URL(
        resolvingBookmarkData: data,
        options: .withoutImplicitStartAccessing,
        bookmarkDataIsStale: &isStale
      )
      #expect(!isStale)
    }
  }
}
