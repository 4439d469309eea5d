import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess)) struct AccessVerbTests {
  let world: World
  init() throws { world = try World { File("f", "0") } }

  @Test(arguments: ["read", "write"])
  func `the exit status is the command's own`(_ verb: String) async throws {
    let file = world.path("f")

    #expect(try await world.filecoord(verb, file, "--", "true").status == 0)
    #expect(try await world.filecoord(verb, file, "--", "sh", "-c", "exit 42").status == 42)
  }

  @Test func `a command that a signal killed gives 128 and the signal`() async throws {
    let result = try await world.filecoord("write", world.path("f"), "--", "sh", "-c", "kill -9 $$")

    #expect(result.status == 137)
  }

  @Test func `a command that is missing gives 127, one that cannot run 126`() async throws {
    let missing = try await world.filecoord("read", world.path("f"), "--", "no-such-program")
    let plain = try await world.filecoord("read", world.path("f"), "--", world.path("f"))

    #expect(missing.status == 127)
    #expect(missing.errors == "filecoord: read: no-such-program: No such file or directory\n")
    #expect(plain.status == 126)
  }

  @Test func `braces stand for the absolute paths in turn`() async throws {
    let result = try await world.shell("filecoord read f ./g -- printf '%s\\n' {} a{}b '{ }'")
    #expect(result.status == 66, "g is missing")

    try world.put("g", "")
    let both = try await world.shell("filecoord read f ./g -- printf '%s\\n' {} a{}b {}")
    #expect(both.lines == [world.path("f"), "a\(world.files)/./gb", world.path("f")])
  }

  /// K04.
  @Test func `a name that is not UTF-8 reaches the command as it is`() async throws {
    let result = try await world.shell(
      "n=$(printf 'x\\377y'); echo text > \"$n\"; filecoord read \"$n\" -- cat {}"
    )

    #expect(result.output == "text\n")
  }

  @Test func `the streams and the working directory are the command's`() async throws {
    let tool = try world.startShell("filecoord write f -- sh -c 'read x; echo $x; pwd; echo e >&2'")
    try tool.send("hello")
    let result = try await tool.end()

    #expect(result.lines == ["hello", world.files.description])
    #expect(result.errors == "e\n")
  }

  @Test func `a read of a missing item ends with 66, a write may make it`() async throws {
    let read = try await world.filecoord("read", world.path("new"), "--", "true")
    let delete = try await world.filecoord(
      "write",
      "--for=deleting",
      world.path("new"),
      "--",
      "true"
    )
    let write = try await world.filecoord("write", world.path("new"), "--", "touch", "{}")

    #expect(read.status == 66)
    #expect(read.errors.contains("new"))
    #expect(delete.status == 66)
    #expect(write.status == 0)
    #expect(world.exists("new"))
  }

  @Test func `a writer waits for a reader, readers do not wait for each other`() async throws {
    let reader = try world.start("read", world.path("f"), "--", "sh", "-c", "echo in; read x")
    try await reader.expect("in")
    let second = try await world.filecoord("read", world.path("f"), "--", "echo", "also")
    #expect(second.output == "also\n")

    let writer = try world.start("write", world.path("f"), "--", "echo", "written")
    #expect(try await never { writer.outputSoFar.contains("written") })

    try reader.send("go")
    #expect(try await writer.end().output == "written\n")
    #expect(try await reader.end().status == 0)
  }

  @Test func `the time limit ends the wait with 75`() async throws {
    let holder = try world.start("write", world.path("f"), "--", "sh", "-c", "echo in; read x")
    try await holder.expect("in")

    let start = MonotonicInstant.now
    let result = try await world.filecoord(
      "read",
      "-t",
      "0.3",
      world.path("f"),
      "--",
      "echo",
      "ran"
    )
    let none = try await world.filecoord("read", "-t0", world.path("f"), "--", "echo", "ran")

    #expect(result.status == 75)
    #expect(result.output.isEmpty)
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(MonotonicInstant.now - start >= .milliseconds(300))
    #expect(none.status == 75)
    try holder.send("go")
    #expect(try await holder.end().status == 0)
  }

  @Test func `all paths are claimed at once, in whatever order they are named`() async throws {
    try world.put("g", "")
    let script = """
      i=0; while [ $i -lt 20 ]; do filecoord write "$1" "$2" -- true || exit 1; i=$((i+1)); done
      """
    let one = try world.startShell(script, "f", "g")
    let two = try world.startShell(script, "g", "f")

    #expect(try await one.end(within: .seconds(100)).status == 0)
    #expect(try await two.end(within: .seconds(100)).status == 0)
  }

  @Test func `a resolved link claims what it points to`() async throws {
    try FileSystem.makeLink(world.files.appending("link"), to: FilePath("f"))
    let holder = try world.start("write", world.path("f"), "--", "sh", "-c", "echo in; read x")
    try await holder.expect("in")

    let itself = try await world.filecoord("read", "-t9", world.path("link"), "--", "echo", "{}")
    let target = try await world.filecoord(
      "read",
      "--resolve-link",
      "-t0.2",
      world.path("link"),
      "--",
      "echo",
      "{}"
    )

    #expect(itself.output == "\(world.path("link"))\n")
    #expect(target.status == 75)
    try holder.send("go")
    _ = try await holder.end()
    let later = try await world.filecoord("read", "-l", world.path("link"), "--", "echo", "{}")
    #expect(later.output == "\(world.path("f"))\n")
  }

  @Test func `waiting follows a file that is moved away`() async throws {
    let mover = try world.start(
      "write",
      world.path("f"),
      "--",
      "sh",
      "-c",
      "echo in; read x"
    )
    try await mover.expect("in")
    let first = try world.start("mv", world.path("f"), world.path("moved"))
    #expect(try await never { first.hasEnded })
    let waiter = try world.start("write", world.path("f"), "--", "echo", "{}")
    #expect(try await never { waiter.hasEnded })

    try mover.send("go")

    _ = try await mover.end()
    #expect(try await first.end().status == 0)
    let result = try await waiter.end()
    // The mover waited first; should the waiter have come before it, nothing had moved yet.
    #expect(result.output == "\(world.path("moved"))\n" || result.output == "\(world.path("f"))\n")
    #expect(world.exists("moved"))
  }

  /// "Done means": two shells in loops of read-modify-write steps lose nothing.
  @Test func `two shells that count in one file lose nothing`() async throws {
    let script = """
      i=0; while [ $i -lt 100 ]; do
        filecoord write f -- sh -c 'n=$(cat f); echo $((n+1)) > f' || exit 1
        i=$((i+1))
      done
      """
    let one = try world.startShell(script)
    let two = try world.startShell(script)

    #expect(try await one.end(within: .seconds(100)).status == 0)
    #expect(try await two.end(within: .seconds(100)).status == 0)
    #expect(try world.contents("f") == "200\n")
  }
}
