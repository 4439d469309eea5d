import Documents
import FileCoordination
import Foundation
import LinuxSystem
import TestSupport
import Testing

/// The access that a document's URL carries (statement 45).
@MainActor @Suite(.timeLimit(.minutes(1))) struct DocumentScopeTests {
  private let folder: Folder
  init() throws {
    DocumentWorld.enter()
    folder = try Folder {
      Directory("d") { File("f.txt", "text") }
      Directory("e") { File("f.txt", "other") }
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

  private func isAccessed(_ url: URL) -> Bool { ScopeRegistry.shared.isAccessed(url) }

  /// Notes whether access had begun when the item was read and written.
  // @unchecked as TextDocument.
  private final class ScopedDocument: TextDocument, @unchecked Sendable {
    let accesses = DocumentLog()
    override func read(from url: URL) throws {
      accesses.add("read \(ScopeRegistry.shared.isAccessed(fileURL))")
      try super.read(from: url)
    }
    override func writeContents(
      _ contents: Any,
      andAttributes additionalFileAttributes: [AnyHashable: Any]? = nil,
      safelyTo url: URL,
      for saveOperation: UIDocument.SaveOperation
    ) throws {
      accesses.add("write \(ScopeRegistry.shared.isAccessed(url))")
      try super.writeContents(
        contents,
        andAttributes: additionalFileAttributes,
        safelyTo: url,
        for: saveOperation
      )
    }
  }

  @Test func `access is begun before the first look and ended once, after close (statement 45)`()
    async throws
  {
    let url = try granted("d/f.txt")
    // The application's own access: a stop too many would end it, one too few keep it.
    #expect(url.startAccessingSecurityScopedResource())
    let document = ScopedDocument(url)
    #expect(await document.open())
    url.stopAccessingSecurityScopedResource()
    #expect(isAccessed(url), "the document's own access lasts")
    document.edit("new")
    #expect(await document.close())
    #expect(await document.close())
    #expect(document.accesses.lines == ["read true", "write true"])
    #expect(!isAccessed(url))
    #expect(url.startAccessingSecurityScopedResource())
    #expect(await document.open())
    #expect(await document.close())
    #expect(isAccessed(url), "the application's own access is still its own")
    url.stopAccessingSecurityScopedResource()
    #expect(!isAccessed(url))
  }

  @Test func `an opening that fails ends the access that it began (statement 45)`() async throws {
    let url = try granted("d/f.txt")
    try FileSystem.removeFile(folder.path("d/f.txt"))
    let document = ScopedDocument(url)
    #expect(await !document.open())
    #expect(!isAccessed(url))
    // And a document that goes without being closed.
    try File("d/f.txt", "again").write(into: folder.directory.path)
    var lost: ScopedDocument? = ScopedDocument(url)
    #expect(await lost?.open() == true)
    #expect(isAccessed(url))
    lost = nil
    try await eventuallyOnMain("its access ended") { !isAccessed(url) }
  }

  @Test func `access goes with the document to another place (statement 45)`() async throws {
    let (old, new) = (try granted("d/f.txt"), try granted("e"))
    let document = ScopedDocument(old)
    #expect(await document.open())
    let other = folder.url("e/g.txt")
    #expect(await document.save(to: other, for: .forCreating))
    #expect(!isAccessed(old) && isAccessed(new))
    // Moved to where nothing was granted: what was begun stays until the end.
    try FileSystem.rename(folder.path("e/g.txt"), to: folder.path("g.txt"))
    try await eventuallyOnMain("followed") {
      document.fileURL.path == folder.path("g.txt").description
    }
    #expect(isAccessed(new))
    #expect(await document.close())
    #expect(!isAccessed(new))
  }
}
