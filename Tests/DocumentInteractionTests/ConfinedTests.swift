import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Opening from within a sandbox: the portal does it, whatever programs are installed inside.
///
/// The sandbox is only said to be there, by the variable that ours sets: what is tried is who is asked.
@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn, .tags(.multiProcess)) struct ConfinedTests {
  /// A desktop with a portal on a bus of its own.
  private struct Confined: Sendable {
    let desktop: Desktop
    let bus: PrivateBus
    let portal: LineProcess
    var variables: [String] {
      ["FILE_COORDINATION_APPLICATION=org.example.Confined"] + bus.environment
    }

    init(@FileTreeBuilder _ items: () -> [any FileTreeItem]) async throws {
      desktop = try Desktop(items)
      bus = try await PrivateBus(in: desktop.config)
      portal = try LineProcess(
        World.product("portal-mock"),
        ["portal"],
        environment: bus.environment
      )
      try await portal.expect("ready ")
    }

    func filecoord(_ words: String...) async throws -> Desktop.Result {
      try await desktop.run(World.product("filecoord").description, words, variables)
    }
  }

  @Test func `open goes to the portal with a descriptor, not to a program within`() async throws {
    let world = try await Confined { File("a b.txt", "text") }
    try await world.desktop.install("inside", exec: "touch \(world.desktop.path("touched")) %f")
    let path = world.desktop.path("a b.txt")
    let result = try await world.filecoord("open", path)
    #expect(result.status == 0, "\(result.errors)")
    let plain = try await world.portal.expect("OpenFile parent='' \(path) rw ")
    #expect(!plain.contains("'ask'"))
    #expect(try await world.filecoord("open", "--ask", path).status == 0)
    #expect(try await world.portal.expect("OpenFile ").contains("'ask': <true>"))
    #expect(!world.desktop.world.exists("touched"))
  }

  @Test func `a copy goes for reading only`() async throws {
    let world = try await Confined { File("a.txt", "text") }
    #expect(try await world.filecoord("open", "--copy", world.desktop.path("a.txt")).status == 0)
    let call = try await world.portal.expect("OpenFile parent='' \(world.desktop.cache)/")
    #expect(call.contains("/a.txt ro "))
    #expect(call.contains("'writable': <false>"))
  }

  @Test func `a program cannot be named, and what the portal refuses is told`() async throws {
    let world = try await Confined {
      File("a.txt", "text")
      File("end.txt", "text")
      File("cancel.txt", "text")
    }
    let named = try await world.filecoord("open", "--with", "inside", world.desktop.path("a.txt"))
    #expect(named.status == 1)
    #expect(named.errors.contains("the user chooses the program"), "\(named.errors)")
    let refused = try await world.filecoord("open", world.desktop.path("end.txt"))
    #expect(refused.status == 1)
    #expect(refused.errors.contains("end.txt was not opened"), "\(refused.errors)")
    // The user said no: that is no failure.
    #expect(try await world.filecoord("open", world.desktop.path("cancel.txt")).status == 0)
  }

  @Test func `without a portal, and without a bus, the error says so`() async throws {
    let world = try await Confined { File("a.txt", "text") }
    world.portal.kill()
    world.bus.kill()
    let result = try await world.filecoord("open", world.desktop.path("a.txt"))
    #expect(result.status == 1)
    #expect(
      result.errors.contains("no session bus to reach the desktop portal"),
      "\(result.errors)"
    )
  }

  @Test func `an interrupted wait for the user ends at once`() async throws {
    let world = try await Confined { File("wait.txt", "text") }
    let opener = try LineProcess(
      World.product("filecoord"),
      ["open", world.desktop.path("wait.txt")],
      environment: world.variables + world.desktop.environment
    )
    try await world.portal.expect("OpenFile ")
    opener.send(.interrupt)
    #expect(try await opener.end() == .exited(130))
    try await world.portal.expect("Close")
  }

  @Test func `the file is not held while the user thinks`() async throws {
    let world = try await Confined { File("wait.txt", "before") }
    let path = world.desktop.path("wait.txt")
    let opener = try LineProcess(
      World.product("filecoord"),
      ["open", path],
      environment: world.variables + world.desktop.environment
    )
    try await world.portal.expect("OpenFile ")
    let writer = try await world.desktop.filecoord(
      "write",
      path,
      "--",
      "sh",
      "-c",
      "echo after > \"$1\"",
      "sh",
      "{}"
    )
    #expect(writer.status == 0, "\(writer.errors)")
    opener.kill()
  }

  @Test func `the menu offers one program, whose name nobody learns`() async throws {
    let world = try await Confined { File("a.txt", "text") }
    try await world.desktop.installReceiver("inside")
    let result = try await world.desktop.run(
      World.product("interaction-peer").description,
      ["send", world.desktop.path("a.txt"), "", "x"],
      world.variables
    )
    #expect(
      result.lines == ["presents true", "menu Another Program…", "will -", "did -"],
      "\(result.output)\(result.errors)"
    )
    #expect(try await world.portal.expect("OpenFile ").contains("'ask': <true>"))
  }

  @Test func `a file is shown in its folder through the portal`() async throws {
    let world = try await Confined { File("a.txt", "text") }
    let result = try await world.desktop.run(
      World.product("interaction-peer").description,
      ["send", world.desktop.path("a.txt"), "reveal:", "x"],
      world.variables
    )
    #expect(result.output.contains("Show in File Manager"), "\(result.output)")
    #expect(!result.output.contains("failed"), "\(result.output)")
    try await world.portal.expect("OpenDirectory parent='' \(world.desktop.path("a.txt")) ro ")
  }
}
