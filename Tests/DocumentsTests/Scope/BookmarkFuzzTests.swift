import Foundation
import Digests
import LinuxSystem
import TestSupport
import Testing

@testable import FileCoordination

/// Bad input, and names with odd bytes.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct BookmarkFuzzTests {
  private let folder: Folder
  init() throws {
    DocumentWorld.enter()
    folder = try Folder {
      Directory("d") { File("f", "text") }
      File("document")
    }
  }

  private func resolve(_ data: Data) throws -> FilePath? {
    var isStale = false
    return FilePath(
      try URL(
        resolvingBookmarkData: data,
        options: .withoutImplicitStartAccessing,
        bookmarkDataIsStale: &isStale
      )
    )
  }

  @Test func `cut off anywhere, and with any bit flipped, it is refused with 259`() throws {
    let data = try folder.url("d/f").bookmarkData()
    for length in 0..<data.count {
      #expect(cocoaCode { _ = try resolve(data.prefix(length)) } == 259)
    }
    for at in data.indices {
      for bit in 0..<8 {
        var broken = data
        broken[at] ^= 1 << UInt8(bit)
        // The bit that says “scoped” asks for a key that is another: 259 as well.
        let code = cocoaCode { _ = try resolve(broken) }
        #expect(code == 259, "byte \(at), bit \(bit)")
      }
    }
  }

  @Test func `damage under a seal that fits ends nobody, whatever it says`() throws {
    let data = try folder.url("d/f").bookmarkData(includingResourceValuesForKeys: [.fileSizeKey])
    let body = Array(data.dropLast(32))
    for _ in 0..<4_000 {
      var bytes = body
      for _ in 0..<Int.random(in: 1...8) {
        let at = Int.random(in: 0..<bytes.count)
        switch Int.random(in: 0..<3) {
        case 0: bytes[at] = UInt8.random(in: 0...255)
        case 1: bytes.remove(at: at)
        default: bytes.insert(UInt8.random(in: 0...255), at: at)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let sealed = Data(bytes + Digest.authenticate(bytes, key: []))
      do { _ = try resolve(sealed) } catch is CocoaError {}
      _ = URL.resourceValues(forKeys: [.pathKey, .nameKey], fromBookmarkData: sealed)
      _ = NSURL.resourceValues(forKeys: [.fileSizeKey], fromBookmarkData: sealed)
    }
  }

  @Test func `empty, foreign and random data is refused with 259`() throws {
    var foreign: [Data] = [
      Data(), Data([0]), Data("SBMK".utf8), Data("SBMK\u{1}".utf8), Data(repeating: 0, count: 4096),
      // As bookmarks of other systems begin.
      Data("book".utf8) + Data([0x30, 2, 0, 0, 0, 0, 4, 0x10, 0x30, 0, 0, 0]) + Data(count: 512),
      Data("alis".utf8) + Data(count: 300), Data("bplist00".utf8) + Data(count: 100),
    ]
    for _ in 0..<200 {
      foreign.append(Data((0..<Int.random(in: 1...600)).map { _ in UInt8.random(in: 0...255) }))
    }
    for data in foreign {
      #expect(cocoaCode { _ = try resolve(data) } == 259)
      #expect(URL.resourceValues(forKeys: [.pathKey], fromBookmarkData: data) == nil)
    }
  }

  @Test func `names with every byte go through a bookmark`() throws {
    for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") {
      let path = folder.path("d").appending([UInt8(ascii: "x"), byte, UInt8(ascii: "y")])
      try Descriptor.open(path, [.writeOnly, .create]).write(Array("t".utf8))
      let data = try path.url().bookmarkData()
      #expect(try resolve(data) == path, "byte \(byte)")
      let moved = folder.path("d").appending([byte, byte, UInt8(ascii: "m")])
      try FileSystem.rename(path, to: moved)
      #expect(try resolve(data) == moved, "byte \(byte), renamed")
      let url = moved.url()
      ScopeRegistry.shared.grant(url)
      #expect(url.startAccessingSecurityScopedResource())
      url.stopAccessingSecurityScopedResource()
      #expect(!ScopeRegistry.shared.isAccessed(url))
      try FileSystem.removeFile(moved)
    }
    #expect(
      cocoaCode { _ = try resolve(#require(URL(string: "file:///a%00b")).bookmarkData()) } == 260
    )
  }

  /// What became of the item, and what resolving gives.
  enum Fate: CaseIterable {
    case stayed, renamed, directoryRenamed, replaced, movedThenReplaced, hardLinkLost, deleted,
      deletedWithDirectory
  }

  @Test(arguments: Fate.allCases)
  func `the table of staleness`(fate: Fate) throws {
    let data = try folder.url("d/f").bookmarkData()
    var expected: (String?, Bool) = ("d/f", true)
    switch fate {
    case .stayed: expected.1 = false
    case .renamed:
      try FileSystem.rename(folder.path("d/f"), to: folder.path("d/g"))
      expected.0 = "d/g"
    case .directoryRenamed:
      try FileSystem.rename(folder.path("d"), to: folder.path("e"))
      expected.0 = "e/f"
    case .replaced: try folder.replace("d/f", "new")
    case .movedThenReplaced:
      try FileSystem.rename(folder.path("d/f"), to: folder.path("g"))
      try folder.replace("g", "new")
      expected.0 = nil
    case .hardLinkLost:
      // Another name of the very file, in the same folder, is as good.
      try FileSystem.makeHardLink(folder.path("d/other"), to: folder.path("d/f"))
      try FileSystem.removeFile(folder.path("d/f"))
      expected.0 = "d/other"
    case .deleted:
      try FileSystem.removeFile(folder.path("d/f"))
      expected.0 = nil
    case .deletedWithDirectory:
      try FileSystem.removeTree(folder.path("d"))
      expected.0 = nil
    }
    guard let name = expected.0 else {
      #expect(cocoaCode { _ = try resolve(data) } == 4)
      return
    }
    var isStale = false
    let url = try URL(
      resolvingBookmarkData: data,
      options: .withoutImplicitStartAccessing,
      bookmarkDataIsStale: &isStale
    )
    #expect(FilePath(url) == folder.path(name) && isStale == expected.1)
    // Made anew it is fresh.
    _ = try URL(
      resolvingBookmarkData: url.bookmarkData(),
      options: .withoutImplicitStartAccessing,
      bookmarkDataIsStale: &isStale
    )
    #expect(!isStale)
  }

  @Test func `keys are for the user alone, and a document without its key is said so`() throws {
    let own = FileScope.applicationIdentifier
    defer { FileScope.applicationIdentifier = own }
    FileScope.applicationIdentifier = "test.keys.\(UInt64.random(in: 0...UInt64.max))"
    let data = try folder.url("d/f").bookmarkData(options: .withSecurityScope)
    let keys = try UserDirectory.state().appending("bookmark-keys")
    for name in try FileSystem.list(keys) {
      let status = try FileStatus(of: keys.appending(name))
      #expect(status.permissions & 0o077 == 0 && status.size == 32)
    }
    // Sealed with another key: as if another user had made it.
    let body = Array(data.dropLast(32))
    let forged = Data(body + Digest.authenticate(body, key: [UInt8](repeating: 1, count: 32)))
    var isStale = false
    #expect(
      cocoaCode {
        _ = try URL(
          resolvingBookmarkData: forged,
          options: .withSecurityScope,
          bookmarkDataIsStale: &isStale
        )
      } == 259
    )
    let base = folder.url("document")
    let scoped = try folder.url("d/f").bookmarkData(options: .withSecurityScope, relativeTo: base)
    try FileSystem.removeAttribute(
      "user.file-coordination.bookmark-key",
      of: folder.path("document")
    )
    #expect(
      cocoaCode {
        _ = try URL(
          resolvingBookmarkData: scoped,
          options: .withSecurityScope,
          relativeTo: base,
          bookmarkDataIsStale: &isStale
        )
      } == 256
    )
  }
}
