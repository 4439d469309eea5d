import FileCoordination
import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Bookmarks and scope; serialized because which application this is belongs to the process.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct BookmarkTests {
  private let folder: Folder
  init() throws {
    folder = try Folder {
      Directory("d") {
        File("f", "text")
        File("g", "other")
      }
      File("document")
    }
  }

  private func resolve(
    _ data: Data,
    _ options: URL.BookmarkResolutionOptions = .withoutImplicitStartAccessing,
    relativeTo base: URL? = nil
  ) throws -> (path: FilePath?, isStale: Bool) {
    var isStale = false
    let url = try URL(
      resolvingBookmarkData: data,
      options: options,
      relativeTo: base,
      bookmarkDataIsStale: &isStale
    )
    return (FilePath(url), isStale)
  }

  @Test func `an item that stayed resolves to its path, and is not stale`() throws {
    for name in ["d/f", "d"] {
      let found = try resolve(try folder.url(name).bookmarkData())
      #expect(found.path?.lexicallySame(as: folder.path(name)) == true)
      #expect(!found.isStale)
    }
    let web = try #require(URL(string: "https://example.org/x"))
    var isStale = true
    let same = try URL(
      resolvingBookmarkData: web.bookmarkData(),
      bookmarkDataIsStale: &isStale
    )
    #expect(same == web && !isStale)
  }

  @Test func `statement 64: a renamed item resolves to its new path, stale until made anew`() throws
  {
    let data = try folder.url("d/f").bookmarkData()
    try FileSystem.rename(folder.path("d/f"), to: folder.path("d/new"))
    let found = try resolve(data)
    #expect(found.path == folder.path("d/new"))
    #expect(found.isStale)
    #expect(try !resolve(folder.url("d/new").bookmarkData()).isStale)
  }

  @Test func `a renamed directory above is followed`() throws {
    let data = try folder.url("d/f").bookmarkData()
    try FileSystem.rename(folder.path("d"), to: folder.path("e"))
    let found = try resolve(data)
    #expect(found.path == folder.path("e/f") && found.isStale)
  }

  @Test func `an item moved elsewhere is found below a root that the application gives`() throws {
    let data = try folder.url("d/f").bookmarkData()
    try FileSystem.makeDirectory(folder.path("x"))
    try FileSystem.makeDirectory(folder.path("x/y"))
    try FileSystem.rename(folder.path("d/f"), to: folder.path("x/y/z"))
    #expect(cocoaCode { _ = try resolve(data) } == 4)
    FileScope.searchRoots = [folder.url("x")]
    defer { FileScope.searchRoots = [] }
    #expect(try resolve(data).path == folder.path("x/y/z"))
  }

  @Test func `statement 65 and case E02: a file replaced by a safe save resolves by path, stale`()
    throws
  {
    let data = try folder.url("d/f").bookmarkData()
    try folder.replace("d/f", "new")
    let found = try resolve(data)
    #expect(found.path == folder.path("d/f") && found.isStale)
    #expect(folder.url("d/f").startAccessingSecurityScopedResource())
    folder.url("d/f").stopAccessingSecurityScopedResource()
    #expect(try !resolve(folder.url("d/f").bookmarkData()).isStale)
  }

  @Test func `field case E01: what took the place of a trashed item is what resolves, stale`()
    throws
  {
    let data = try folder.url("d/f").bookmarkData()
    try FileSystem.makeDirectory(folder.path("trash"))
    try FileSystem.rename(folder.path("d/f"), to: folder.path("trash/f"))
    try File("f", "decoy").write(into: folder.path("d"))
    let found = try resolve(data)
    #expect(found.path == folder.path("d/f") && found.isStale)
  }

  @Test func `field case E01: an item that is found in the trash says so`() throws {
    DocumentWorld.enter()
    let data = try folder.url("d/f").bookmarkData()
    #expect(!folder.url("d/f").isInTrash)
    let trash = DocumentWorld.directory.path.appending("data").appending("Trash")
    try FileSystem.makeDirectories(trash.appending("files"))
    defer { try? FileSystem.removeTree(trash) }  // goes with the test's directory in any case
    let thrown = trash.appending("files").appending("f")
    try FileSystem.rename(folder.path("d/f"), to: thrown)
    #expect(cocoaCode { _ = try resolve(data) } == 4)
    FileScope.searchRoots = [trash.url()]
    defer { FileScope.searchRoots = [] }
    let found = try resolve(data)
    #expect(found.path == thrown && found.isStale)
    #expect(found.path?.url().isInTrash == true)
    #expect(trash.appending("files").appending("gone").url().isInTrash)
    #expect(!trash.appending("info").url().isInTrash)
    // Trashes of other mounts.
    let user = Environment.user
    for place in [".Trash-\(user)", ".Trash/\(user)"] {
      #expect(folder.url("\(place)/files/f").isInTrash)
      #expect(!folder.url("\(place)/f").isInTrash)
    }
  }

  @Test func `a moved item is preferred to a decoy in its old place`() throws {
    let data = try folder.url("d/f").bookmarkData()
    try FileSystem.rename(folder.path("d/f"), to: folder.path("d/moved"))
    try File("f", "decoy").write(into: folder.path("d"))
    #expect(try resolve(data).path == folder.path("d/moved"))
  }

  @Test func `statement 66: failures have Apple's codes`() throws {
    let data = try folder.url("d/f").bookmarkData()
    try FileSystem.removeFile(folder.path("d/f"))
    #expect(cocoaCode { _ = try resolve(data) } == 4)
    #expect(cocoaCode { _ = try resolve(Data("garbage".utf8)) } == 259)
    #expect(cocoaCode { _ = try folder.url("none").bookmarkData() } == 260)
    #expect(cocoaCode { try URL.writeBookmarkData(data, to: folder.url("alias")) } == 512)
    #expect(cocoaCode { _ = try URL.bookmarkData(withContentsOf: folder.url("document")) } == 259)
  }

  @Test func `field case E05: damaged bookmarks throw, whatever the damage`() throws {
    for options in [URL.BookmarkCreationOptions(), .withSecurityScope] {
      let data = try folder.url("d/f").bookmarkData(options: options)
      let scope: URL.BookmarkResolutionOptions =
        options.isEmpty ? .withoutImplicitStartAccessing : .withSecurityScope
      for length in stride(from: 0, to: data.count, by: 23) {
        #expect(cocoaCode { _ = try resolve(data.prefix(length), scope) } != nil)
      }
      for _ in 0..<60 {
        var broken = data
        let index = Int.random(in: 0..<data.count)
        broken[index] ^= 1 << UInt8.random(in: 0..<8)
        #expect(cocoaCode { _ = try resolve(broken, scope) } != nil)
      }
    }
  }

  @Test func `statement 67: security scope excludes minimal bookmarks and files`() {
    for other in [URL.BookmarkCreationOptions.minimalBookmark, .suitableForBookmarkFile] {
      #expect(
        cocoaCode {
          _ = try folder.url("d/f").bookmarkData(options: [.withSecurityScope, other])
        } == 256
      )
    }
  }

  @Test func `statement 69: values are readable after the item is gone`() throws {
    let data = try folder.url("d/f").bookmarkData(includingResourceValuesForKeys: [
      .fileSizeKey, .contentModificationDateKey,
    ])
    try FileSystem.removeTree(folder.path("d"))
    let values = try #require(
      URL.resourceValues(
        forKeys: [.pathKey, .nameKey, .contentModificationDateKey],
        fromBookmarkData: data
      )
    )
    #expect(values.path == folder.path("d/f").description)
    #expect(values.name == "f")
    #expect(values.contentModificationDate != nil)
    let all = NSURL.resourceValues(forKeys: [.fileSizeKey, .pathKey], fromBookmarkData: data)
    #expect(all?[.fileSizeKey] as? Int == 4)
    #expect(all?.count == 2)
    #expect(URL.resourceValues(forKeys: [.pathKey], fromBookmarkData: Data([1])) == nil)
  }

  @Test func `statement 70: a bookmark of one application is no use to another`() throws {
    let own = FileScope.applicationIdentifier
    defer { FileScope.applicationIdentifier = own }
    FileScope.applicationIdentifier = "test.a"
    let data = try folder.url("d/f").bookmarkData(options: .withSecurityScope)
    #expect(try resolve(data, .withSecurityScope).path == folder.path("d/f"))
    FileScope.applicationIdentifier = "test.b"
    #expect(cocoaCode { _ = try resolve(data, .withSecurityScope) } == 259)
    #expect(
      cocoaCode { _ = try resolve(folder.url("d/f").bookmarkData(), .withSecurityScope) } == 259
    )
  }

  @Test func `a bookmark for a document needs that document, with its key`() throws {
    let base = folder.url("document")
    let data = try folder.url("d/f").bookmarkData(options: .withSecurityScope, relativeTo: base)
    #expect(try resolve(data, .withSecurityScope, relativeTo: base).path == folder.path("d/f"))
    #expect(cocoaCode { _ = try resolve(data, .withSecurityScope) } == 259)
    #expect(
      cocoaCode { _ = try resolve(data, .withSecurityScope, relativeTo: folder.url("d/g")) } == 256
    )
    #expect(
      cocoaCode {
        _ = try folder.url("d").bookmarkData(options: .withSecurityScope, relativeTo: base)
      } == 256
    )
  }

  @Test func `a bookmark goes through a file, and a link is its own target`() throws {
    let data = try folder.url("d/f").bookmarkData(options: .suitableForBookmarkFile)
    try URL.writeBookmarkData(data, to: folder.url("alias"))
    #expect(try URL.bookmarkData(withContentsOf: folder.url("alias")) == data)
    let target = try URL(
      resolvingAliasFileAt: folder.url("alias"),
      options: .withoutImplicitStartAccessing
    )
    #expect(FilePath(target) == folder.path("d/f"))
    try FileSystem.makeLink(folder.path("link"), to: FilePath("d/f"))
    let link = try folder.url("link").bookmarkData()
    #expect(try resolve(link).path == folder.path("link"))
  }

  @Test func `the spellings of NSURL do the same`() throws {
    let data = try (folder.url("d/f") as NSURL).bookmarkData(
      includingResourceValuesForKeys: nil,
      relativeTo: nil
    )
    var isStale: ObjCBool = true
    let url = try NSURL(
      resolvingBookmarkData: data,
      options: .withoutImplicitStartAccessing,
      relativeTo: nil,
      bookmarkDataIsStale: &isStale
    )
    #expect(url.path == folder.path("d/f").description)
    #expect(!isStale.boolValue)
    #expect(
      NSURL.resourceValues(forKeys: [.nameKey], fromBookmarkData: data)?[.nameKey] as? String == "f"
    )
  }

  @Test func `options have Apple's bits`() {
    #expect(URL.BookmarkCreationOptions.preferFileIDResolution.rawValue == 1 << 8)
    #expect(URL.BookmarkCreationOptions.minimalBookmark.rawValue == 1 << 9)
    #expect(URL.BookmarkCreationOptions.suitableForBookmarkFile.rawValue == 1 << 10)
    #expect(URL.BookmarkCreationOptions.withSecurityScope.rawValue == 1 << 11)
    #expect(URL.BookmarkCreationOptions.securityScopeAllowOnlyReadAccess.rawValue == 1 << 12)
    #expect(URL.BookmarkCreationOptions.withoutImplicitSecurityScope.rawValue == 1 << 29)
    #expect(URL.BookmarkResolutionOptions.withoutUI.rawValue == 1 << 8)
    #expect(URL.BookmarkResolutionOptions.withoutMounting.rawValue == 1 << 9)
    #expect(URL.BookmarkResolutionOptions.withSecurityScope.rawValue == 1 << 10)
    #expect(URL.BookmarkResolutionOptions.withoutImplicitStartAccessing.rawValue == 1 << 15)
  }
}

extension FilePath {
  func lexicallySame(as other: FilePath) -> Bool {
    bytes.drop { $0 == .slash }.elementsEqual(other.bytes.drop { $0 == .slash })
      || description == other.description + "/"
  }
}
