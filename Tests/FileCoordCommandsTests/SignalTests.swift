import Foundation
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess, .crash)) struct SignalTests {
  let world: World
  init() throws { world = try World { File("f", "0") } }

  private func holder(_ command: String = "echo $$ in; read x") async throws -> Tool {
    let tool = try world.start("write", world.path("f"), "--", "sh", "-c", command)
    try await tool.expect("in")
    return tool
  }

  private func pid(printedBy tool: Tool) async throws -> Int32 {
    let line = try await tool.expect(" in")
    return try #require(Int32(line.split(separator: " ")[0]))
  }

  @Test(
    arguments: [(Signal.interrupt, 130), (.terminate, 143), (.hangUp, 129)] as [(Signal, Int32)]
  )
  func `a signal ends the wait`(_ signal: Signal, _ status: Int32) async throws {
    let holder = try await holder()
    let waiter = try world.start("write", world.path("f"), "--", "echo", "ran")
    #expect(try await never { waiter.hasEnded })

    waiter.signal(signal)
    let result = try await waiter.end()

    #expect(result.status == status)
    #expect(result.output.isEmpty)
    #expect(!holder.hasEnded)
  }

  @Test func `signals are passed on to the command, whose word is final`() async throws {
    let tool = try await holder("trap 'echo got TERM; exit 7' TERM; echo $$ in; read x; read y")

    tool.signal(.terminate)
    let result = try await tool.endWithOpenInput()

    #expect(result.lines.last == "got TERM")
    #expect(result.status == 7)
  }

  @Test func `a command that lives through a signal goes on under its lock`() async throws {
    let tool = try await holder(
      "trap 'echo caught' INT; echo $$ in; read x; while ! read y; do :; done; echo $y"
    )

    tool.signal(.interrupt)
    try await tool.expect("caught")
    let other = try await world.filecoord("read", "-t0.2", world.path("f"), "--", "true")
    #expect(other.status == 75)

    try tool.send("a")
    try tool.send("b")
    #expect(try await tool.end().status == 0)
  }

  /// Ruling 11, "Done means": killing filecoord while its command runs keeps the lock.
  @Test func `a killed filecoord leaves the lock with its command`() async throws {
    let tool = try await holder()
    let command = try await pid(printedBy: tool)

    tool.signal(.kill)
    #expect(try await tool.endWithOpenInput().status == 137)
    let waiter = try world.start("read", world.path("f"), "--", "echo", "ran")
    #expect(try await never(for: .milliseconds(500)) { waiter.hasEnded })

    Signal.kill.send(to: command)
    let result = try await waiter.end()
    #expect(result.output == "ran\n")
  }

  /// Ruling 11: a grandchild left behind holds the lock, as documented.
  @Test func `a process that the command leaves behind keeps the lock`() async throws {
    // A shell gives a job in the background /dev/null to read, so it reads a copy.
    let tool = try await holder("exec 9<&0; (echo $$ in; read x <&9) & exit 0")
    try await eventually("the end of filecoord") { tool.hasEnded }
    let blocked = try await world.filecoord("read", "-t0.2", world.path("f"), "--", "true")
    #expect(blocked.status == 75)

    try tool.send("go")
    let free = try await world.filecoord("read", "-t10", world.path("f"), "--", "echo", "ran")
    #expect(free.output == "ran\n")
  }

  /// "Done means": kill -9 of a holder lets the waiter in at once.
  @Test func `killing the holder lets the waiter in at once`() async throws {
    let tool = try await holder()
    let command = try await pid(printedBy: tool)
    let waiter = try world.start("write", world.path("f"), "--", "echo", "ran")
    #expect(try await never { waiter.hasEnded })

    let start = MonotonicInstant.now
    Signal.kill.send(to: command)
    tool.signal(.kill)
    let result = try await waiter.end()

    #expect(result.output == "ran\n")
    // "At once" without a poll of seconds in between; the limit is for a loaded machine.
    #expect(MonotonicInstant.now - start < .seconds(10))
  }

  /// I06: nothing but the command inherits a lock, and the command nothing but its locks.
  @Test func `the command inherits lock files only`() async throws {
    func targets(_ result: Tool.Result) -> [String] {
      result.lines.compactMap { line in
        line.range(of: " -> ").map { String(line[$0.upperBound...]) }
      }
    }
    let list = "ls -l /proc/self/fd"
    // What whoever runs the tests left open, every program gets.
    let foreign = Set(targets(try await world.shell(list)))

    let result = try await world.filecoord("write", world.path("f"), "--", "sh", "-c", list)

    let inherited = targets(result)
    let ours = inherited.filter { $0.hasPrefix(world.runtime.description) }
    #expect(!ours.isEmpty)
    #expect(ours.allSatisfy { $0.contains("/nodes/") }, "\(ours)")
    let others = inherited.filter {
      !$0.hasPrefix(world.runtime.description) && !$0.hasPrefix("pipe:") && !$0.hasPrefix("/proc/")
        && !foreign.contains($0)
    }
    #expect(others.isEmpty, "\(others)")
  }
}
