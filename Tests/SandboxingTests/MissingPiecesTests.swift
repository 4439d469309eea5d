import LinuxSystem
import TestSupport
import Testing

/// Where the machine lacks something, the program does not start, and the error says what.
@Suite(.timeLimit(.minutes(3)), .tags(.multiProcess)) struct MissingPiecesTests {
  private func failure(_ environment: (SandboxWorld) -> [String]) async throws -> String {
    let world = try await SandboxWorld()
    let host = try await world.host(environment: environment(world))
    let text = try await host.expect("failed ")
    #expect(try await host.end() == .exited(1))
    return text
  }

  @Test func `no Landlock in the kernel, or switched off`() async throws {
    #expect(
      try await failure { $0.environment + ["SANDBOX_FAULT=landlock_create_ruleset:38"] }.contains(
        "5.13"
      )
    )
    #expect(
      try await failure { $0.environment + ["SANDBOX_FAULT=landlock_create_ruleset:95"] }.contains(
        "lsm="
      )
    )
  }

  @Test func `no session bus`() async throws {
    let text = try await failure { world in
      world.environment.map {
        $0.hasPrefix("DBUS_SESSION") ? "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent" : $0
      }
    }
    #expect(text.contains("bus"))
  }

  @Test func `no document portal on the bus`() async throws {
    let world = try await SandboxWorld()
    // A bus that starts nothing.
    let directory = world.directory.path.appending("bare")
    try FileSystem.makeDirectories(directory)
    try File(
      "bus.conf",
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><type>session</type><listen>unix:dir=\(directory)</listen>
      <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
      </policy></busconfig>
      """
    ).write(into: directory)
    let bare = try LineProcess(
      FilePath("/usr/bin/dbus-daemon"),
      ["--config-file=\(directory)/bus.conf", "--nofork", "--print-address=1"],
      environment: ["PATH=/usr/bin:/bin"]
    )
    let address = try await "unix:" + bare.expect("unix:")
    let host = try await world.host(
      environment: world.environment.map {
        $0.hasPrefix("DBUS_SESSION") ? "DBUS_SESSION_BUS_ADDRESS=\(address)" : $0
      }
    )
    let text = try await host.expect("failed ")
    #expect(text.contains("xdg-desktop-portal"))
  }

  @Test func `a name that the portals do not take`() async throws {
    let world = try await SandboxWorld()
    for name in ["App", "org..App", "org.1x", "org.example.A/B", ".org.example"] {
      let host = try await world.host(name)
      #expect(try await host.expect("failed ").contains("names no application"))
    }
  }
}
