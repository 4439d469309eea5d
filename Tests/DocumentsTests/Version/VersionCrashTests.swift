import LinuxSystem
import TestSupport
import Testing
import VersionStore

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess, .crash))
struct VersionCrashTests {
  @Test func `two processes add and remove, one is killed: the store is consistent`() async throws {
    for round in 1...4 {
      let folder = try Folder { File("a", "text \(round)") }
      let run = DocumentPeerRun(folder: folder)
      let arguments = ["versions", folder.path("a").description, "40"]
      async let whole = run.run(arguments)
      let victim = try ChildProcess(
        try World.product("document-peer"),
        arguments,
        environment: run.environment
      )
      let store = folder.path("data/file-coordination/versions")
      try await eventually("the store is filling") {
        (try? FileSystem.list(store.appending("contents")).count) ?? 0 > round * 3
      }
      victim.send(.kill)
      victim.wait()
      #expect(try await whole.end == .exited(0))
      let opened = try VersionStore(store)
      try opened.prune()
      #expect(try opened.faults() == [])
      #expect(try opened.all().count >= 20)
    }
  }
}
