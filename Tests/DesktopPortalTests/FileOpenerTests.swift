import DesktopPortal
import LinuxSystem
import SessionBus
import TestSupport
import Testing

/// Opening files outside through the portal: the real one with a backend of ours, and a portal of ours.
@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn, .tags(.multiProcess)) struct FileOpenerTests {
  /// A file of the world, open for reading, or for writing as well.
  private func file(
    _ name: String,
    _ world: PortalWorld,
    isWritable: Bool = false
  ) throws -> SharedDescriptor {
    let path = world.directory.path.appending(name)
    try File(name, "text").write(into: world.directory.path)
    return SharedDescriptor(try Descriptor.open(path, isWritable ? .readWrite : .readOnly))
  }

  /// Installs a program for a type of the test's own; it writes what it is given to a file.
  private func install(_ id: String, in world: PortalWorld) async throws -> FilePath {
    let share = world.directory.path.appending("share")
    let programs = share.appending("applications")
    let types = share.appending("mime").appending("packages")
    for place in [programs, types] { try FileSystem.makeDirectories(place) }
    let output = world.directory.path.appending("\(id).out")
    let script = world.directory.path.appending("\(id).sh")
    try File(
      "\(id).sh",
      "#!/bin/sh\ncat \"$1\" > '\(output).new' && mv '\(output).new' '\(output)'\n"
    )
    .write(into: world.directory.path)
    try FileSystem.setPermissions(script, 0o755)
    try File(
      "\(id).desktop",
      "[Desktop Entry]\nType=Application\nName=\(id)\nExec=\(script) %f\nMimeType=text/x-fc-test;\n"
    ).write(into: programs)
    try File(
      "test.xml",
      """
      <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
      <mime-type type="text/x-fc-test"><glob pattern="*.fctest"/></mime-type></mime-info>
      """
    ).write(into: types)
    for words in [
      ["/usr/bin/update-desktop-database", programs.description],
      ["/usr/bin/update-mime-database", share.appending("mime").description],
    ] {
      let process = try ChildProcess(FilePath(words[0]), [words[1]])
      _ = try await eventually("\(words)") { process.poll() }
    }
    return output
  }

  private func contents(_ path: FilePath) async throws -> String {
    try await eventually("the program has written") {
      guard FileSystem.exists(path) else { return nil }
      return String(decoding: try Descriptor.open(path, .readOnly).readToEnd(), as: UTF8.self)
    }
  }

  @Test func `the real portal starts the program that the user chose, on the file itself`()
    async throws
  {
    let world = try await PortalWorld()
    let output = try await install("receiver", in: world)
    let opener = FileOpener(world.client)
    #expect(try #require(await opener.version()) >= 3)
    var request = FileOpener.Request()
    request.asks = true
    request.parentWindow = "x11:1"
    let isOpened = try await opener.open(try file("a b.fctest", world), request)
    #expect(isOpened)
    let asked = try await world.mock.expect("ChooseApplication ")
    #expect(asked.contains("'x11:1'"))
    #expect(asked.contains("'receiver'"))
    #expect(asked.contains("'filename': <'a b.fctest'>"))
    #expect(try await contents(output) == "text")
  }

  @Test func `without a question the only program is started`() async throws {
    let world = try await PortalWorld()
    let output = try await install("receiver", in: world)
    #expect(try await FileOpener(world.client).open(try file("a.fctest", world)))
    #expect(try await contents(output) == "text")
    #expect(!world.mock.lines.contains { $0.hasPrefix("ChooseApplication") })
  }

  @Test(arguments: ["cancel.fctest", "end.fctest"])
  func `a user who wants no program is no error`(_ name: String) async throws {
    let world = try await PortalWorld()
    _ = try await install("receiver", in: world)
    var request = FileOpener.Request()
    request.asks = true
    #expect(try await FileOpener(world.client).open(try file(name, world), request) == false)
  }

  @Test func `a cancelled task closes the dialog of the real portal`() async throws {
    let world = try await PortalWorld()
    _ = try await install("receiver", in: world)
    let (opener, file) = (FileOpener(world.client), try file("wait.fctest", world))
    var request = FileOpener.Request()
    request.asks = true
    let task = Task { [request] in try await opener.open(file, request) }
    try await world.mock.expect("waiting")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await world.mock.expect("Close")
  }

  @Test func `the descriptor and what may be done with it reach the portal`() async throws {
    let world = try await PortalWorld(.portal)
    let opener = FileOpener(world.client)
    #expect(try await opener.open(try file("a.txt", world)))
    let reading = try await world.mock.expect(
      "OpenFile parent='' \(world.directory.path)/a.txt ro "
    )
    #expect(reading.contains("'writable': <false>"))
    #expect(!reading.contains("'ask'"))
    var request = FileOpener.Request()
    request.asks = true
    request.isWritable = true
    request.activationToken = "activate"
    #expect(
      try await opener.open(try file("b.txt", world, isWritable: true), request, token: "t_1")
    )
    let writing = try await world.mock.expect(
      "OpenFile parent='' \(world.directory.path)/b.txt rw "
    )
    for option in [
      "'writable': <true>", "'ask': <true>", "'activation_token': <'activate'>",
      "'handle_token': <'t_1'>",
    ] { #expect(writing.contains(option), "\(writing)") }
    #expect(try await opener.reveal(try file("c.txt", world)))
    try await world.mock.expect("OpenDirectory parent='' \(world.directory.path)/c.txt ro ")
  }

  @Test func `what the portal does not do is an error unless the user was asked`() async throws {
    let world = try await PortalWorld(.portal)
    let opener = FileOpener(world.client)
    #expect(try await opener.open(try file("cancel", world)) == false)
    await #expect(throws: PortalError.self) { try await opener.open(try file("end", world)) }
    var request = FileOpener.Request()
    request.asks = true
    #expect(try await opener.open(try file("end", world), request) == false)
    await #expect(throws: PortalError.self) { try await opener.open(try file("die", world)) }
  }

  @Test func `a token that the portal would never answer is not sent`() async throws {
    let world = try await PortalWorld(.portal)
    let file = try file("a.txt", world)
    await #expect(throws: PortalError.self) {
      try await FileOpener(world.client).open(file, token: "has-dash")
    }
  }

  @Test func `where there is no portal the error says so`() async throws {
    let directory = try TemporaryDirectory()
    let bus = try await PrivateBus(in: directory.path)
    let client = PortalClient(bus: try SessionBus(address: bus.address))
    try File("a", "x").write(into: directory.path)
    let file = SharedDescriptor(try Descriptor.open(directory.path.appending("a"), .readOnly))
    // The portal's own file of its service is in the system's folder; without a backend it opens nothing.
    bus.kill()
    #expect(await FileOpener(client).version() == nil)
    await #expect(throws: PortalError.self) { try await FileOpener(client).open(file) }
  }
}
