import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// What went wrong with providers elsewhere, tried here.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2)), .tags(.multiProcess))
struct ProviderFieldCaseTests {
  @Test func `field case E11: after 100 documents nobody holds anything in the provider's folder`()
    async throws
  {
    let names = (0..<100).map { "\($0).txt" }
    let world = try ProviderWorld(
      Dictionary(uniqueKeysWithValues: names.map { ($0, "text \($0)") }),
      exitAfter: 60
    )
    for name in names { try world.placeholders(name) }
    let app = try world.start(
      "picker-peer",
      [
        "open", "--documents", "--provider", ProviderWorld.identifier, "--take",
        names.map(world.item).joined(separator: ","),
      ]
    )
    defer { app.process.send(.kill) }

    try await eventually("all closed", within: .seconds(60)) {
      try app.text("out").split(separator: "\n").last?.hasPrefix("closed") == true
    }

    #expect(try app.text("out") == "closed 100\n")
    let written = try names.map { try world.text(world.storage.appending($0)) }
    #expect(written == names.map { "text \($0)+" })
    // Both are still there, and hold nothing.
    try await eventually("itemChanged") { world.calls("changed").count == 100 }
    #expect(app.process.poll() == nil)
    #expect(world.process() != nil)
    try await eventually("all is let go of: \(world.descriptorsInStorage)") {
      world.descriptorsInStorage.isEmpty
    }
  }

  @Test
  func `field case E12: what is written in place is uploaded once, and is what is read later`()
    async throws
  {
    let world = try ProviderWorld(["a.txt": "old"], stopAfter: 0)
    try world.placeholders("a.txt")
    try world.put("upload", "yes")
    let writer = try await world.peer("W")

    try await writer.run(
      "1",
      .access(.write(world.item("a.txt"), 0, .get(""), .put("", "new")))
    )

    #expect(writer.events("1", "text").map(\.text) == ["old"])
    try await eventually("the other computer has it", within: .seconds(2)) {
      try world.text(world.control.appending("contents/a.txt")) == "new"
    }
    // It is let go of, and delivered again: with what was written.
    try await eventually("let go of") { world.calls("stop") == ["stop a.txt"] }
    try await eventually("a placeholder") { world.exists(world.placeholder("a.txt")) }
    let reader = try await world.peer("R")
    try await reader.run("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    #expect(reader.events("1", "text").map(\.text) == ["new"])
    #expect(world.calls("start").count == 2)
    #expect(world.calls("changed") == ["changed a.txt new"])
  }

  @Test func `field case E12: an item whose change is being uploaded is not let go of`()
    async throws
  {
    let world = try ProviderWorld(["a.txt": "old"], stopAfter: 0)
    try world.placeholders("a.txt")
    try world.put("upload", "slow")
    try world.makeGate()
    let writer = try await world.peer("W")
    try await writer.run(
      "1",
      .access(.write(world.item("a.txt"), 0, .get(""), .put("", "new")))
    )

    #expect(try await never { !world.calls("stop").isEmpty })

    try world.openGate()
    try await eventually("let go of") { world.calls("stop") == ["stop a.txt"] }
    #expect(world.calls("changed") == ["changed a.txt new"])
    let reader = try await world.peer("R")
    try await reader.run("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    #expect(reader.events("1", "text").map(\.text) == ["new"])
  }
}

extension ProviderWorld {
  /// What any process has open in the provider's folder: process, descriptor, path.
  var descriptorsInStorage: [String] {
    let inside = "\(storage)"
    var found: [String] = []
    for name in (try? FileSystem.list(FilePath("/proc"))) ?? [] {
      guard let pid = Int32(String(decoding: name, as: UTF8.self)) else { continue }
      let table = FilePath("/proc/\(pid)/fd")
      // Processes end while they are looked at, and descriptors are closed.
      for number in (try? FileSystem.list(table)) ?? [] {
        guard let target = try? FileSystem.readLink(table.appending(number)),
          target.description.hasPrefix(inside)
        else { continue }
        found.append("\(pid) \(String(decoding: number, as: UTF8.self)) \(target)")
      }
    }
    return found
  }
}
