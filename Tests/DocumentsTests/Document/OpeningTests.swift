import Documents
import Foundation
import LinuxSystem
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(3))) struct OpeningTests {
  let folder: Folder
  init() throws {
    DocumentWorld.enter()
    folder = try Folder {
      File("a.txt", "first")
      Directory("p.rtfd") { File("text", "packed") }
    }
  }

  @Test func `a new document is closed and has touched nothing (statements 1 and 3)`() {
    let document = TextDocument(folder.url("missing.txt"))
    #expect(document.documentState == [.closed])
    #expect(document.fileModificationDate == nil)
    #expect(!folder.exists("missing.txt"))
  }

  @Test func `a URL that is no file's traps and names the method (statement 2)`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = UIDocument(fileURL: URL(string: "http://example.org/a")!)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("UIDocument.init(fileURL:)"))
  }

  @Test func `opening reads the text and knows the item's time (statements 4 and 6)`() async throws
  {
    let document = TextDocument(folder.url("a.txt"))
    #expect(await document.open())
    #expect(document.documentState == .normal)
    #expect(document.text == "first")
    let modified = try folder.status("a.txt").modified
    let known = document.fileModificationDate?.timeIntervalSince1970 ?? 0
    #expect(abs(known - (Double(modified.seconds) + Double(modified.nanoseconds) / 1e9)) < 1e-5)
    #expect(document.fileType == "public.plain-text")
    #expect(document.localizedName == "a")
    // A package's extension is as well known; what nobody knows is part of the name.
    #expect(TextDocument(folder.url("Holiday.rtfd")).localizedName == "Holiday")
    #expect(TextDocument(folder.url("a.unheard-of")).localizedName == "a.unheard-of")
    await document.close()
  }

  @Test func `load gets Data for a file, a FileWrapper for a package (statement 7)`() async throws {
    let file = TextDocument(folder.url("a.txt"))
    let package = TextDocument(folder.url("p.rtfd"))
    #expect(await file.open())
    #expect(await package.open())
    #expect(file.seen.loadedKinds == ["Data"])
    #expect(package.seen.loadedKinds == ["FileWrapper"])
    #expect(package.text == "packed")
    await file.close()
    await package.close()
  }

  @Test func `load runs where open was called, reading elsewhere (statements 8 and 9)`() async {
    let document = TextDocument(folder.url("a.txt"))
    #expect(await document.open())
    document.edit("second")
    #expect(await document.save(to: document.fileURL, for: .forOverwriting))
    #expect(document.seen.loadedOnMain == [true])
    #expect(document.seen.readsOnMain == [false])
    #expect(document.seen.writesOnMain == [false])
    await document.close()
  }

  @Test func `what cannot be opened ends at once, with its reason (statement 13, C03)`()
    async throws
  {
    try FileSystem.makeLink(folder.path("dangling.txt"), to: FilePath("nowhere"))
    for name in ["missing.txt", "no/such/directory.txt", "dangling.txt"] {
      let document = TextDocument(folder.url(name))
      #expect(await !document.open())
      #expect(document.documentState == [.closed])
      #expect(document.seen.errors.map(\.code) == [260], "\(name)")
      #expect(document.lastError != nil)
      await #expect(throws: CocoaError.self) { try await document.openOrThrow() }
    }
  }

  @Test func `file accesses run one after the other, in order (statement 12)`() async throws {
    let document = TextDocument(folder.url("a.txt"))
    let log = DocumentLog()
    for number in 0..<20 {
      document.performAsynchronousFileAccess {
        log.add("begin \(number)")
        log.add("end \(number)")
      }
    }
    try await eventuallyOnMain("all ran") { log.lines.count == 40 }
    #expect(log.lines == (0..<20).flatMap { ["begin \($0)", "end \($0)"] })
  }

  @Test func `a document that is open is not read again`() async {
    let document = TextDocument(folder.url("a.txt"))
    #expect(await document.open())
    #expect(await document.open())
    #expect(document.seen.loads == 1)
    await document.close()
  }

  @Test func `closing while it opens: opening ends with false, closing with true`() async throws {
    let document = TextDocument(folder.url("a.txt"))
    let log = DocumentLog()
    document.open { log.add("open \($0)") }
    document.close { log.add("close \($0)") }
    try await eventuallyOnMain("both ended") { log.lines.count == 2 }
    #expect(log.lines.sorted() == ["close true", "open false"])
    #expect(document.documentState == [.closed])
  }

  @Test func `two documents of one file do not block each other (statement 44, C04)`() async throws
  {
    let first = TextDocument(folder.url("a.txt"))
    let second = TextDocument(folder.url("a.txt"))
    #expect(await first.open())
    first.edit("newest")
    let log = DocumentLog()
    first.close { log.add("close \($0)") }
    second.open { log.add("open \($0)") }
    try await eventuallyOnMain("both ended") { log.lines.count == 2 }
    #expect(log.lines.sorted() == ["close true", "open true"])
    #expect(second.text == "newest")
    #expect(try folder.text("a.txt") == "newest")
    await second.close()
  }

  @Test func `what load itself changes is saved once, after opening (C16)`() async throws {
    final class Migrating: TextDocument, @unchecked Sendable {
      override func load(fromContents contents: Any, ofType typeName: String?) throws {
        try super.load(fromContents: contents, ofType: typeName)
        edit(text + ", migrated")
      }
    }
    let clock = ManualClock()
    let document = Migrating(folder.url("a.txt"), clock: clock)
    #expect(await document.open())
    #expect(document.hasUnsavedChanges)
    clock.advance(by: .seconds(3))
    try await eventuallyOnMain("saved") { !document.hasUnsavedChanges }
    #expect(try folder.text("a.txt") == "first, migrated")
    #expect(document.seen.saves == 1)
    await document.close()
  }

  @Test func `a document that is released while it is open goes, and nothing happens (C05)`()
    async throws
  {
    weak var gone: TextDocument?
    do {
      let document = TextDocument(folder.url("a.txt"))
      gone = document
      #expect(await document.open())
    }
    try await eventuallyOnMain("released") { gone == nil }
    try await folder.write("a.txt", "by another")
    #expect(try folder.text("a.txt") == "by another")
  }
}

/// Lines from any thread, in order.
final class DocumentLog: Sendable {
  private let lock = NSLock()
  private nonisolated(unsafe) var all: [String] = []
  var lines: [String] { lock.withLock { all } }
  func add(_ line: String) { lock.withLock { all.append(line) } }
}
