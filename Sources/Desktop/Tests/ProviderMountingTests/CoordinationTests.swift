import Foundation
import Testing

/// Programs that use the mount, and programs that coordinate in the folder.
@Suite(.timeLimit(.minutes(2)))
struct CoordinationTests {
  @Test func `whoever coordinates waits until a file that is written has been closed`() async throws
  {
    let world = try MountWorld()
    let mount = try await world.mount()
    try await world.makeGate()
    let writer = try world.startShell(
      "exec 3> a.txt; echo one >&3; echo open; read x < '\(world.control.path)/gate'; echo two >&3"
    )
    try await eventually("it is open") { writer.text("out").contains("open") }
    let reader = try world.start("mounted-peer", "read", world.own("a.txt"))
    #expect(try await never { !reader.isRunning })
    try await world.openGate()
    #expect(try await reader.end().output == "one\ntwo\n\n")
    #expect(mount.isRunning)
  }

  @Test func `a file that somebody coordinates to write is opened when that has ended`()
    async throws
  {
    let world = try MountWorld()
    let mount = try await world.mount()
    try await world.makeGate()
    let writer = try world.start(
      "sh",
      "-c",
      "cat '\(world.control.path)/gate' | '\(MountWorld.product("mounted-peer"))' write '\(world.own("a.txt"))'"
    )
    try await eventually("it writes") { writer.text("out").contains("writing") }
    let reader = try world.startShell("cat a.txt")
    let other = try world.startShell("echo over > a.txt")
    #expect(try await never { !other.isRunning })
    _ = try await world.run("sh", "-c", "echo coordinated > '\(world.control.path)/gate'")
    #expect(try await other.end().status == 0)
    _ = try await reader.end()
    #expect(try await world.shell("cat a.txt").output == "over\n")
    #expect(mount.isRunning)
  }

  @Test func `who coordinates with the mount's own paths works, too`() async throws {
    let world = try MountWorld(["a.txt": "whole"])
    try world.placeholder("a.txt")
    let mount = try await world.mount()
    #expect(try await world.run("mounted-peer", "read", world.seen("a.txt")).output == "whole\n")
    let write = try await world.run("mounted-peer", "write", world.seen("a.txt"), input: "new")
    #expect(write.status == 0)
    try await eventually("told of") { world.text("control/contents/a.txt") == "new" }
    #expect(mount.isRunning)
  }

  @Test func `readers that coordinate never see a mixture of what programs write`() async throws {
    let world = try MountWorld()
    let mount = try await world.mount()
    let text = { (letter: String) in String(repeating: letter, count: 40_000) }
    for letter in ["a", "b", "c"] { try world.put("text-\(letter)", text(letter)) }
    _ = try await world.shell("cat ../text-a > f")
    let writers = try ["a", "b", "c"].map { letter in
      // In small pieces, so that there is time to see half of it.
      try world.startShell(
        "for i in $(seq 15); do dd if=../text-\(letter) of=f bs=1000 conv=fsync status=none; done"
      )
    }
    var seen: Set<String> = []
    while writers.contains(where: \.isRunning) {
      let read = try await world.run("mounted-peer", "read", world.own("f"))
      seen.insert(read.output)
    }
    for writer in writers { #expect(try await writer.end().status == 0) }
    for output in seen {
      // Two programs may have had it open at once: they do not coordinate. But nobody reads meanwhile.
      #expect(output.count == 40_001)
    }
    #expect(mount.isRunning)
  }
}
