import Foundation
import Testing

/// What opening a file that is not here does.
@Suite(.timeLimit(.minutes(2)))
struct FetchingTests {
  @Test func `cat of a placeholder gets what the provider has, and so does everybody after it`()
    async throws
  {
    let world = try MountWorld(["a.txt": "whole"])
    // The size is wrong: what was said before does not cut off what comes.
    try world.placeholder("a.txt", ["NSURLFileSizeKey": 2])
    let mount = try await world.mount()
    #expect(
      try await world.shell("cat a.txt; stat -c ' %s' a.txt; cat a.txt").output == "whole 5\nwhole"
    )
    #expect(world.calls("start") == ["start a.txt"])
    #expect(world.isHere("a.txt"))
    #expect(mount.isRunning)
  }

  @Test func `four programs that open one file cause one delivery, and none sees half of it`()
    async throws
  {
    let world = try MountWorld(["a.txt": "whole"])
    try world.placeholder("a.txt")
    try world.deliveries("wait")
    try await world.makeGate()
    let mount = try await world.mount()
    let readers = try (0..<4).map { _ in try world.startShell("cat a.txt") }
    try await eventually("half of it") { world.calls("waiting").count == 1 }
    #expect(try await never { readers.contains { !$0.isRunning } })

    try await world.openGate()

    for reader in readers { #expect(try await reader.end().output == "whole") }
    #expect(world.calls("start") == ["start a.txt"])
    #expect(mount.isRunning)
  }

  @Test func `a file that takes long to come keeps nobody from the others`() async throws {
    let names = (0..<40).map { "\($0).txt" }
    let contents = names.map { ($0, "of \($0)") } + [("quick.txt", "quick")]
    let world = try MountWorld(Dictionary(uniqueKeysWithValues: contents))
    for (name, _) in contents { try world.placeholder(name) }
    try world.deliveries("wait")
    try world.deliveries("ok", of: "quick.txt")
    try await world.makeGate()
    let mount = try await world.mount()
    let readers = try names.map { name in try world.startShell("cat \(name)") }
    try await eventually("all wait") { world.calls("waiting").count == 40 }

    let quick = try await world.shell(
      "ls | wc -l; cat quick.txt; echo new > new.txt; cat new.txt; mv new.txt b; rm b"
    )

    #expect(quick.output == "41\nquicknew\n" && quick.errors == "")
    // Each opening of the gate may let several go on.
    for (name, reader) in zip(names, readers) {
      while reader.isRunning { try await world.openGate() }
      #expect(try await reader.end().output == "of \(name)")
    }
    #expect(mount.isRunning)
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func `a program that waits for a file can be ended`(_ signal: Int32) async throws {
    let world = try MountWorld(["a.txt": "whole"])
    try world.placeholder("a.txt")
    try world.deliveries("wait")
    try await world.makeGate()
    let mount = try await world.mount()
    let reader = try world.start("cat", world.seen("a.txt"))
    try await eventually("it waits") { world.calls("waiting").count == 1 }

    reader.send(signal)

    #expect(try await reader.end(within: .seconds(5)).status == 128 + signal)
    try await world.openGate()
    #expect(try await world.shell("cat a.txt").output == "whole")
    #expect(mount.isRunning)
  }

  @Test(arguments: [
    ("error", "Input/output error"), ("half-error", "Input/output error"),
    ("space", "No space left on device"),
  ])
  func `what the provider fails with is what the program gets, and nothing half`(
    _ way: String,
    _ text: String
  ) async throws {
    let world = try MountWorld(["a.txt": "whole"])
    try world.placeholder("a.txt", ["NSURLFileSizeKey": 5])
    try world.deliveries(way)
    let mount = try await world.mount()
    let failed = try await world.shell("cat a.txt")
    #expect(failed.status == 1 && failed.output == "" && failed.errors.contains(text))
    // Nothing was lost, and the next one may succeed.
    try world.deliveries("ok")
    #expect(try await world.shell("stat -c %s a.txt; cat a.txt").output == "5\nwhole")
    #expect(mount.isRunning)
  }

  @Test func `a provider that is killed in a delivery is an error, and starts again`() async throws
  {
    let world = try MountWorld(["a.txt": "whole"])
    try world.placeholder("a.txt")
    try world.deliveries("wait")
    try await world.makeGate()
    let mount = try await world.mount()
    let reader = try world.startShell("cat a.txt")
    try await eventually("half of it") { world.calls("waiting").count == 1 }
    #expect(world.text("data/\(MountWorld.identifier)/File Provider Storage/a.txt") == "half")

    for id in world.providers { kill(id, SIGKILL) }

    let failed = try await reader.end(within: .seconds(10))
    #expect(failed.status == 1 && failed.errors.contains("Input/output error"))
    try world.deliveries("ok")
    #expect(try await world.shell("cat a.txt").output == "whole")
    #expect(mount.isRunning)
  }

  @Test func `what a program has open is not taken away`() async throws {
    let world = try MountWorld(["a.txt": "whole"], stopAfter: 0)
    try world.placeholder("a.txt")
    try await world.makeGate()
    let mount = try await world.mount()
    let holder = try world.startShell(
      "exec 3< a.txt; echo open; read x < '\(world.control.path)/gate'; cat <&3"
    )
    try await eventually("it is open") { holder.text("out").contains("open") }
    #expect(try await never { !world.calls("stop").isEmpty })
    try await world.openGate()
    #expect(try await holder.end().output == "open\nwhole")
    try await eventually("let go of") { world.calls("stop") == ["stop a.txt"] }
    #expect(mount.isRunning)
  }
}
