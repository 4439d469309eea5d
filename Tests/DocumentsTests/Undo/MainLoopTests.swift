import LinuxSystem
import TestSupport
import Testing

/// Groups end with their event on every main loop a program may have; each in a process of its own.
@Suite(.timeLimit(.minutes(3)))
struct MainLoopTests {
  /// What a program that stands beside the tests prints.
  private func output(
    of program: String,
    _ arguments: [String] = [],
    input: String = ""
  ) throws -> [String] {
    let (process, output) = try start(World.product(program), arguments, input)
    let bytes = try output.with { (pipe) throws(SystemError) in try pipe.readToEnd() }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(process.wait() == .exited(0))
    return text.split(separator: "\n").map(String.init)
  }

  /// Our ends of the pipes close when this returns, all but the one to read from.
  private func start(
    _ program: FilePath,
    _ arguments: [String],
    _ input: String
  ) throws -> (ChildProcess, SharedDescriptor) {
    let (inRead, inWrite) = try Descriptor.pipe()
    let (outRead, outWrite) = try Descriptor.pipe()
    let process = try ChildProcess(
      program,
      arguments,
      input: inRead.number,
      output: outWrite.number
    )
    try inWrite.with { (pipe) throws(SystemError) in try pipe.write(Array(input.utf8)) }
    return (process, outRead)
  }

  private let twoGroups = ["level 0", "groups 2", "values [1, 2]", "values []"]

  @Test(arguments: [
    "dispatch", "runloop", "runloop-past", "timer", "mode", "glib", "glib-hook",
  ])
  func `statements 56 and 63: two registrations in one event are one group, a later one another`(
    loop: String
  ) throws {
    #expect(try output(of: "undo-loops", [loop]) == twoGroups)
  }

  @Test func `statements 56 and 63: the same in a program whose main is async`() throws {
    #expect(try output(of: "undo-async-main") == twoGroups)
  }

  @Test func `statements 56 and 63: the same in a terminal's loop, which says when a key is done`()
    throws
  {
    #expect(try output(of: "undo-loops", ["terminal"], input: "1\n2\n3\n") == twoGroups)
  }
}
