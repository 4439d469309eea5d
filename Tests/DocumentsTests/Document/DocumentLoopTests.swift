import LinuxSystem
import TestSupport
import Testing

/// Statement 63 and what the issue says of main loops, each in a real program.
@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess)) struct DocumentLoopTests {
  @Test(arguments: ["dispatch", "async", "runloop", "glib", "terminal"])
  func `completions and undo groups come on the main thread of every loop`(_ kind: String)
    async throws
  {
    let folder = try Folder { File("a.txt", "first") }
    let outcome = try await DocumentPeerRun(folder: folder).run(
      ["loop", kind, folder.path("a.txt").description]
    )
    #expect(
      outcome.lines == [
        "opened true first main", "grouped 1 main", "saved true main", "closed true main",
      ]
    )
    #expect(outcome.end == .exited(0))
    #expect(try folder.text("a.txt") == "edited")
  }
}
