import LinuxSystem
import TestSupport
import Testing

@testable import FileCoordCommands

@Suite(.timeLimit(.minutes(2)), .serialized) struct HelpTests {
  private static var shown: [VerbDescription] {
    CommandLineTool.verbs.map { $0.description }.filter { !$0.isHidden }
  }

  @Test func `the help names every verb`() async throws {
    let result = try await World().filecoord("--help")

    #expect(result.status == 0)
    #expect(
      Self.shown.map(\.name) == [
        "read", "write", "mv", "rm", "cp", "watch", "status", "versions", "pick",
        "providers", "bookmark", "source", "open", "apps", "preview", "print", "trash", "demo",
      ]
    )
    for verb in Self.shown { #expect(result.output.contains("  \(verb.name) ")) }
    #expect(result.errors.isEmpty)
  }

  @Test func `the help of a verb shows its forms and every option`() async throws {
    let world = try World()
    for verb in Self.shown {
      let result = try await world.filecoord(verb.name, "--help")

      #expect(result.status == 0)
      #expect(result.output.hasPrefix("usage: filecoord \(verb.name)"))
      for option in verb.options where !option.isHidden {
        #expect(result.output.contains("--\(option.long)"))
      }
      #expect(result.lines.allSatisfy { $0.count <= 100 })
      #expect(try await world.filecoord("help", verb.name).output == result.output)
      #expect(try await world.filecoord(verb.name, "-h").output == result.output)
    }
  }

  @Test func `no two options of a verb share a letter or a name`() {
    for verb in CommandLineTool.verbs.map({ $0.description }) {
      let letters = verb.options.compactMap(\.short)
      #expect(Set(letters).count == letters.count, "\(verb.name)")
      #expect(Set(verb.options.map(\.long)).count == verb.options.count)
    }
  }

  @Test func `the version is one line`() async throws {
    let result = try await World().filecoord("--version")

    #expect(result.status == 0)
    #expect(result.output == "filecoord \(CommandLineTool.version)\n")
  }

  @Test(arguments: [
    [], ["nonsense"], ["--nonsense"], ["read"], ["read", "f"], ["read", "f", "--"],
    ["read", "--", "true"], ["write", "--for", "fun", "f", "--", "true"],
    ["write", "--timeout", "x", "f", "--", "true"], ["mv", "a"], ["mv"], ["mv", "a", "b", "c"],
    ["cp", "a"], ["rm"], ["watch"], ["open"], ["open", "-a", "-w", "x", "f"], ["apps"],
    ["apps", "a", "b"],
    ["preview"], ["print"], ["trash"], ["status", "a", "b"], ["versions"], ["demo", "x"],
    ["read", "--purpose=", "f", "--", "true"], ["help", "nonsense"],
  ])
  func `wrong usage ends with 64 and one line that says where to look`(_ words: [String])
    async throws
  {
    let world = try World()
    let tool = try Tool(
      World.product("filecoord"),
      words,
      environment: ["FILE_COORDINATION_DIR=\(world.runtime)", "PATH=/usr/bin:/bin"]
    )
    let result = try await tool.end()

    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("filecoord: "))
    #expect(result.errors.contains("--help'"))
    #expect(result.errors.split(separator: "\n").count == 1)
  }
}
