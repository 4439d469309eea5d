import CoordinationRuntime
import Foundation
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess)) struct StatusVerbTests {
  let world: World
  init() throws {
    world = try World {
      File("f", "")
      File("g", "")
    }
  }

  private struct Entry: Decodable {
    struct Party: Decodable { let pid: Int32 }
    let state: String
    let kind: String?
    let pid: Int32
    let process: String
    let stopped: Bool
    let path: String
    let since: String?
    let purpose: String?
    let reason: String?
    let `for`: [Party]?
    let change: String?
  }

  private func entries(_ arguments: String...) async throws -> [Entry] {
    let words = ["status", "--json"] + arguments
    let result = try await world.shell("filecoord \(words.joined(separator: " "))")
    #expect(result.status == 0, "\(result.errors)")
    return try result.lines.map { try JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
  }

  @Test func `nobody is there`() async throws {
    let result = try await world.filecoord("status")

    #expect(result.status == 0)
    #expect(result.output == "nobody holds, waits or presents\n")
    #expect(try await entries().isEmpty)
  }

  @Test func `holders, waiters and presenters are named`() async throws {
    let watcher = try world.start("watch", world.path("g"))
    try await watcher.expect("presenting")
    let holder = try world.start(
      "write",
      "-p",
      "mine",
      world.path("f"),
      "--",
      "sh",
      "-c",
      "echo in; read x"
    )
    try await holder.expect("in")
    let waiter = try world.start("read", world.path("f"), "--", "true")
    try await eventually("the waiter is seen") {
      _ = waiter; return true
    }

    var seen: [Entry] = []
    for _ in 0..<200 where !seen.contains(where: { $0.state == "waits" }) {
      seen = try await entries()
    }

    let holds = try #require(seen.first { $0.state == "holds" })
    #expect(holds.pid == holder.pid)
    #expect(holds.kind == "write")
    #expect(holds.process == "filecoord")
    #expect(holds.path == world.path("f"))
    #expect(holds.purpose == "mine")
    #expect(holds.since != nil)
    let waits = try #require(seen.first { $0.state == "waits" })
    #expect(waits.pid == waiter.pid)
    #expect(waits.kind == "read")
    #expect(waits.for?.map(\.pid) == [holder.pid])
    let presents = try #require(seen.first { $0.state == "presents" })
    #expect(presents.pid == watcher.pid)
    #expect(presents.path == world.path("g"))

    #expect(try await entries("g").map(\.state) == ["presents"])
    #expect(try await entries("f").allSatisfy { $0.path == world.path("f") })
    let table = try await world.filecoord("status")
    #expect(table.lines.first?.hasPrefix("STATE") == true)
    #expect(table.output.contains("filecoord (\(holder.pid))"))
  }

  /// Ruling 11: the surviving process is named.
  @Test(.tags(.crash)) func `the command that outlived filecoord is the holder`() async throws {
    let holder = try world.start("write", world.path("f"), "--", "sh", "-c", "echo $$ in; read x")
    let line = try await holder.expect(" in")
    let command = try #require(Int32(line.split(separator: " ")[0]))

    holder.signal(.kill)
    _ = try await holder.endWithOpenInput()

    let holds = try #require(try await entries().first { $0.state == "holds" })
    #expect(holds.pid == command)
    #expect(holds.process == "sh")
    Signal.kill.send(to: command)
  }

  @Test func `a stopped holder is marked`() async throws {
    let holder = try world.start("write", world.path("f"), "--", "sh", "-c", "echo in; read x")
    try await holder.expect("in")

    holder.signal(.stop)
    var stopped = false
    for _ in 0..<200 where !stopped { stopped = try await entries().first?.stopped == true }
    holder.signal(.continue)

    #expect(stopped)
  }

  @Test func `a polled tree is named with the reason`() async throws {
    let runtime = try RuntimeDirectory(
      RuntimeDirectory.Choice(path: world.runtime, isExplicit: true, isTemporary: false)
    )
    // As a process writes it when its monitor says so.
    let folder = try PeerFolder.ours(in: runtime)
    let list = """
      [{"url":"file:///else","reason":"so"},\
      {"url":"file://\(world.files)/x%FF","reason":"it is on NFS"}]
      """
    try folder.directory.with { directory in
      try Descriptor.open(FilePath("polled"), [.writeOnly, .create], in: directory)
        .write(Array(list.utf8))
    }

    let all = try await entries()
    #expect(all.map(\.state) == ["polls", "polls"])
    #expect(all.map(\.reason) == ["so", "it is on NFS"])
    #expect(all.allSatisfy { $0.pid == ProcessIdentity.current.pid })
    #expect(try await entries("f").isEmpty)
    #expect(try await world.filecoord("status").output.contains("(it is on NFS)"))

  }

  @Test func `watching the status prints what begins and what ends`() async throws {
    let watcher = try world.start("status", "--watch", "--json")
    let holder = try world.start("write", world.path("f"), "--", "sh", "-c", "echo in; read x")
    try await holder.expect("in")
    try await watcher.expect(#""change":"begins""#)

    try holder.send("go")
    _ = try await holder.end()
    try await watcher.expect(#""change":"ends""#)

    watcher.signal(.interrupt)
    #expect(try await watcher.end().status == 130)
  }
}
