import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess)) struct PurposeTests {
  let world: World
  init() throws { world = try World { File("f", "0") } }

  @Test func `accesses of one purpose do not wait for each other`() async throws {
    let holder = try world.start(
      "write",
      "-p",
      "sync",
      world.path("f"),
      "--",
      "sh",
      "-c",
      "echo in; read x"
    )
    try await holder.expect("in")

    let other = try await world.filecoord("write", "-t1", world.path("f"), "--", "echo", "ran")
    let same = try await world.filecoord(
      "write",
      "--purpose=sync",
      "-t10",
      world.path("f"),
      "--",
      "echo",
      "ran"
    )

    #expect(other.status == 75)
    #expect(same.output == "ran\n")
    try holder.send("go")
    #expect(try await holder.end().status == 0)
  }
}
