import Documents
import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Texts that meet at moments when nobody looks: neither is lost.
@MainActor @Suite(.timeLimit(.minutes(3))) struct ConflictTests {
  private let folder: Folder
  init() throws {
    DocumentWorld.enter()
    folder = try Folder { File("a.txt", "first") }
  }

  private func conflicts() throws -> [String] {
    try (NSFileVersion.unresolvedConflictVersionsOfItem(at: folder.url("a.txt")) ?? [])
      .map { try String(contentsOf: $0.url, encoding: .utf8) }
  }

  /// Edited in the very moment in which it is about to be read again.
  // @unchecked as TextDocument.
  private final class HastyDocument: TextDocument, @unchecked Sendable {
    override func disableEditing() {
      super.disableEditing()
      if text == "first" { edit("mine") }
    }
  }

  @Test func `what is edited while a document is about to be read again stays`() async throws {
    let document = HastyDocument(folder.url("a.txt"))
    #expect(await document.open())
    try folder.replace("a.txt", "theirs")
    try await eventuallyOnMain("in conflict") { document.documentState == [.inConflict] }
    #expect(document.text == "mine" && document.hasUnsavedChanges)
    #expect(document.seen.loads == 1)
    #expect(try folder.text("a.txt") == "theirs")
    #expect(try conflicts() == ["theirs"])
    #expect(await document.save(to: document.fileURL, for: .forOverwriting))
    #expect(try folder.text("a.txt") == "mine")
    #expect(try conflicts() == ["theirs"])
    await document.close()
  }

  @Test func `contents that were taken before a revert ended are kept beside what it read`()
    async throws
  {
    let document = TextDocument(folder.url("a.txt"))
    #expect(await document.open())
    let outcomes = DocumentLog()
    try folder.replace("a.txt", "theirs")
    document.revert(toContentsOf: document.fileURL) { outcomes.add("reverted \($0)") }
    document.edit("mine")
    document.save(to: document.fileURL, for: .forOverwriting) { outcomes.add("saved \($0)") }
    try await eventuallyOnMain("both ended") { outcomes.lines.count == 2 }
    #expect(outcomes.lines.contains("reverted true") && outcomes.lines.contains("saved false"))
    #expect(document.text == "theirs")
    #expect(try folder.text("a.txt") == "theirs")
    #expect(try conflicts() == ["mine"])
    #expect(document.documentState.contains(.inConflict))
    await document.close()
  }

  @Test func `another process that resolves a conflict does not decide over unsaved text`()
    async throws
  {
    let document = TextDocument(folder.url("a.txt"))
    #expect(await document.open())
    document.edit("mine")
    try folder.replace("a.txt", "theirs")
    try await eventuallyOnMain("in conflict") { document.documentState.contains(.inConflict) }
    try await resolveElsewhere()
    // In conflict anew, with what the file has.
    try await eventuallyOnMain("in conflict anew") { try conflicts() == ["theirs"] }
    try await eventuallyOnMain("its state") { document.documentState.contains(.inConflict) }
    #expect(document.text == "mine")
    #expect(try folder.text("a.txt") == "theirs")
    await document.closeDiscarding()
  }

  /// Another process is stopped while it presents the file: the document waits two seconds for it after it
  /// has stored the conflict, and that is long enough for a third one to settle what was stored.
  @Test func `a conflict that is settled while it is being noted is one again`() async throws {
    let document = TextDocument(folder.url("a.txt"))
    #expect(await document.open())
    document.edit("mine")
    let silent = try LineProcess(
      World.product("document-peer"),
      ["present", "file", folder.path("a.txt").description],
      environment: DocumentPeerRun(folder: folder).sharedEnvironment
    )
    try await silent.expect("presenting")
    try await silent.stop()
    try folder.replace("a.txt", "theirs")
    try await eventuallyOnMain("in conflict") { document.documentState.contains(.inConflict) }
    try await resolveElsewhere()
    silent.kill()
    try await eventuallyOnMain("in conflict anew") { try conflicts() == ["theirs"] }
    try await eventuallyOnMain("its state") { document.documentState.contains(.inConflict) }
    #expect(document.text == "mine")
    await document.closeDiscarding()
  }

  private func resolveElsewhere() async throws {
    let run = DocumentPeerRun(folder: folder)
    let resolved = try await run.run(
      ["resolve", "conflicts", folder.path("a.txt").description],
      in: run.sharedEnvironment
    )
    #expect(resolved.lines == ["resolved 1"])
  }
}
