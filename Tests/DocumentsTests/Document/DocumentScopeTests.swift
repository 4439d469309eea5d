import Documents
import FileCoordination
import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Statement 45: a document begins and ends the access of its URL by itself, exactly once.
@MainActor @Suite(.timeLimit(.minutes(3))) struct DocumentScopeTests {
  let folder: Folder
  init() throws {
    DocumentWorld.enter()
    folder = try Folder {
      File("a.txt", "first")
      File("b.txt", "second")
      Directory("d") { File("inside.txt", "third") }
    }
  }

  private func granted(_ name: String) -> URL {
    let url = folder.url(name)
    ScopeRegistry.shared.grant(url)
    return url
  }
  private func isAccessed(_ name: String) -> Bool {
    ScopeRegistry.shared.isAccessed(folder.url(name))
  }

  @Test func `statement 45: from before the first look until after the last`() async {
    final class Looking: TextDocument, @unchecked Sendable {
      let wasAccessed = DocumentLog()
      override func read(from url: URL) throws {
        wasAccessed.add("\(ScopeRegistry.shared.isAccessed(url))")
        try super.read(from: url)
      }
    }
    let document = Looking(granted("a.txt"))
    #expect(!isAccessed("a.txt"))
    #expect(await document.open())
    #expect(document.wasAccessed.lines == ["true"])
    #expect(isAccessed("a.txt"))
    document.edit("more")
    #expect(await document.save(to: document.fileURL, for: .forOverwriting))
    #expect(isAccessed("a.txt"))
    await document.close()
    #expect(!isAccessed("a.txt"))
    await document.close()
    #expect(!isAccessed("a.txt"))
  }

  @Test func `statement 45: also where opening fails`() async {
    let missing = TextDocument(granted("missing.txt"))
    #expect(await !missing.open())
    #expect(!isAccessed("missing.txt"))
  }

  @Test func `also where the document is released while it is open`() async throws {
    do {
      let document = TextDocument(granted("a.txt"))
      #expect(await document.open())
      #expect(isAccessed("a.txt"))
    }
    try await eventuallyOnMain("ended") { !isAccessed("a.txt") }
  }

  @Test func `statement 45: it follows a document that moves`() async throws {
    let document = TextDocument(granted("a.txt"))
    #expect(await document.open())
    _ = granted("moved.txt")
    let (old, new) = (folder.url("a.txt"), folder.url("moved.txt"))
    try await offMain {
      let coordinator = NSFileCoordinator()
      try coordinator.coordinate(writingItemAt: old, options: .forMoving) { url in
        try FileSystem.rename(FilePath(old)!, to: FilePath(new)!)
        coordinator.item(at: url, didMoveTo: new)
      }
    }
    try await eventuallyOnMain("moved") { document.fileURL.lastPathComponent == "moved.txt" }
    try await eventuallyOnMain("begun and ended") {
      isAccessed("moved.txt") && !isAccessed("a.txt")
    }
    await document.close()
    #expect(!isAccessed("moved.txt"))
  }

  @Test func `a document that is made begins with its first save`() async {
    let document = TextDocument(granted("new.txt"))
    document.text = "new"
    #expect(await document.save(to: document.fileURL, for: .forCreating))
    #expect(isAccessed("new.txt"))
    await document.close()
    #expect(!isAccessed("new.txt"))
  }

  @Test func `two documents of one URL end it with the last`() async {
    let url = granted("d")
    let first = TextDocument(folder.url("d/inside.txt"))
    let second = TextDocument(folder.url("d/inside.txt"))
    #expect(await first.open())
    #expect(await second.open())
    await first.close()
    #expect(ScopeRegistry.shared.isAccessed(url))
    await second.close()
    #expect(!ScopeRegistry.shared.isAccessed(url))
  }

  private func offMain(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread { done.resume(with: Result { try body() }) }
    }
  }
}
