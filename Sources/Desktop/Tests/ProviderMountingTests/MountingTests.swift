import Foundation
import Testing

@testable import ProviderMounting

/// Mounting, unmounting, and every way to end.
@Suite(.timeLimit(.minutes(2)))
struct MountingTests {
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal unmounts`(_ signal: Int32) async throws {
    let world = try MountWorld(["a.txt": "whole"])
    try world.placeholder("a.txt")
    let mount = try await world.mount()
    #expect(world.isMounted)
    #expect(try await world.shell("cat a.txt").output == "whole")

    mount.send(signal)

    #expect(try await mount.end(within: .seconds(10)).status == 0)
    #expect(!world.isMounted)
    #expect(try FileManager.default.contentsOfDirectory(atPath: world.mountpoint.path).isEmpty)
    // And again, at the same place.
    let again = try await world.mount()
    #expect(try await world.shell("cat a.txt").output == "whole")
    #expect(again.isRunning)
  }

  @Test
  func
    `a signal ends also while a file comes and others are open, and what was written is told of`()
    async throws
  {
    let world = try MountWorld(["a.txt": "whole"])
    try world.placeholder("a.txt")
    try world.deliveries("wait")
    try await world.makeGate()
    let mount = try await world.mount()
    let reader = try world.startShell("cat a.txt")
    let writer = try world.startShell("exec 3> b.txt; echo written >&3; echo open; exec sleep 60")
    try await eventually("it waits") {
      world.calls("waiting").count == 1 && writer.text("out").contains("open")
    }

    mount.send(SIGTERM)

    #expect(try await mount.end(within: .seconds(15)).status == 0)
    #expect(try await reader.end(within: .seconds(5)).status != 0)
    try await eventually("told of") { world.text("control/contents/b.txt") == "written\n" }
    #expect(!world.isMounted)
  }

  @Test func `fusermount3 -u ends it`() async throws {
    let world = try MountWorld()
    let mount = try await world.mount()
    #expect(try await world.run("fusermount3", "-u", world.mountpoint.path).status == 0)
    #expect(try await mount.end(within: .seconds(10)).status == 0)
    #expect(!world.isMounted)
  }

  @Test func `a mount whose process was killed says so, holds nobody, and can be taken away`()
    async throws
  {
    let world = try MountWorld()
    let mount = try await world.mount()
    let writer = try world.startShell("exec 3> a.txt; echo one >&3; echo open; exec sleep 60")
    try await eventually("it is open") { writer.text("out").contains("open") }

    mount.send(SIGKILL)
    _ = try await mount.end()

    #expect(try await world.run("ls", world.mountpoint.path).errors.contains("not connected"))
    // Its claim went with it.
    #expect(try await world.run("mounted-peer", "read", world.own("a.txt")).output == "one\n\n")
    let refused = try await world.run(
      "provider-mount",
      MountWorld.identifier,
      world.mountpoint.path
    )
    #expect(refused.status == 1 && refused.errors.contains("not connected"))
    writer.send(SIGKILL)
    _ = try await writer.end()
    #expect(try await world.run("fusermount3", "-u", world.mountpoint.path).status == 0)
    let again = try await world.mount()
    #expect(try await world.shell("cat a.txt").output == "one\n")
    #expect(again.isRunning)
  }

  @Test func `a killed mount leaves what was half written over a placeholder to the provider`()
    async throws
  {
    let world = try MountWorld(["a.txt": "whole"])
    try world.placeholder("a.txt")
    let mount = try await world.mount()
    let writer = try world.startShell("exec 3> a.txt; echo ha >&3; echo open; exec sleep 60")
    try await eventually("it is open") { writer.text("out").contains("open") }
    mount.send(SIGKILL)
    _ = try await mount.end()
    writer.send(SIGKILL)
    #expect(try await world.run("mounted-peer", "read", world.own("a.txt")).output == "whole\n")
  }

  @Test func `the folder's path names the provider as well`() async throws {
    let world = try MountWorld()
    let mount = try world.start("provider-mount", world.storage.path, world.mountpoint.path)
    try await eventually("mounted") { world.isMounted }
    mount.send(SIGTERM)
    #expect(try await mount.end().status == 0)
  }

  // MARK: what is refused

  @Test func `a place that is not empty, not there or no directory is refused`() async throws {
    let world = try MountWorld()
    try world.put("full/f", "")
    for (place, words) in [
      ("full", "not empty"), ("nowhere", "No such file"), ("full/f", "no directory"),
    ] {
      let refused = try await world.run(
        "provider-mount",
        MountWorld.identifier,
        world.place.appending(path: place).path
      )
      #expect(refused.status == 1 && refused.errors.contains(words), "\(refused)")
    }
  }

  @Test func `the folder itself, what is in it and what it is in are refused`() async throws {
    let world = try MountWorld()
    let inner = world.storage.appending(path: "inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let link = world.place.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: inner)
    for place in [
      world.storage, inner, link, world.storage.deletingLastPathComponent(), world.place,
    ] {
      let refused = try await world.run("provider-mount", MountWorld.identifier, place.path)
      #expect(refused.status == 1 && refused.errors.contains("lie one in the other"), "\(refused)")
    }
  }

  @Test func `a provider that is not declared is refused`() async throws {
    let world = try MountWorld()
    for name in ["org.example.none", "files", "/tmp"] {
      let refused = try await world.run("provider-mount", name, world.mountpoint.path)
      #expect(refused.status == 1 && refused.errors.contains("no provider"))
    }
    #expect(try await world.run("provider-mount").status == 64)
  }

  @Test func `a machine without FUSE is told what is missing`() throws {
    var fuse = FuseAvailability()
    fuse.isSuperuser = false
    fuse.helper = "no-such-helper"
    #expect(throws: MountError.noHelper) { try fuse.check() }
    fuse.isSuperuser = true
    #expect(throws: Never.self) { try fuse.check() }
    fuse.device = "/dev/no-such-device"
    let error = #expect(throws: MountError.self) { try fuse.check() }
    #expect(error?.description.contains("modprobe fuse") == true && error?.status == 69)
  }
}
