import LinuxSystem
import TestSupport

/// A bus with the real portal on it, a user who does what a script says, and `filecoord pick`.
final class PickingWorld: Sendable {
  /// What stands between the command and the user.
  enum Lack { case nothing, backend, dialogs, portal, bus }

  let mock: LineProcess?
  private let directory: TemporaryDirectory
  private let bus: PrivateBus?
  private let address: String
  // Both are killed when they end.
  private let barren: LineProcess?

  /// A world in which the user does these things, one in each dialog, and then cancels.
  init(_ deeds: [String] = [], without lack: Lack = .nothing) async throws {
    directory = try TemporaryDirectory()
    try File("script", deeds.map { "\($0)\n" }.joined()).write(into: directory.path)
    let portals = directory.path.appending("portals")
    try FileSystem.makeDirectory(portals)
    if lack != .dialogs {
      try File(
        "mock.portal",
        """
        [portal]
        DBusName=org.freedesktop.impl.portal.desktop.mock
        Interfaces=org.freedesktop.impl.portal.FileChooser;
        UseIn=mockde

        """
      ).write(into: portals)
    }
    switch lack {
    case .bus: (bus, barren, address) = (nil, nil, "unix:path=\(directory.path)/none")
    case .portal:
      // A bus that can start nothing.
      try File(
        "bus.conf",
        """
        <busconfig><type>session</type><listen>unix:dir=\(directory.path)</listen>
        <policy context="default"><allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
        """
      ).write(into: directory.path)
      let daemon = try LineProcess(
        FilePath("/usr/bin/dbus-daemon"),
        [
          "--config-file=\(directory.path)/bus.conf", "--nofork", "--nopidfile",
          "--print-address=1", "--nosyslog",
        ],
        environment: []
      )
      (bus, barren, address) = (nil, daemon, try await "unix:" + daemon.expect("unix:"))
    default:
      let made = try await PrivateBus(in: directory.path, portals: portals)
      (bus, barren, address) = (made, nil, made.address)
    }
    guard lack == .nothing, let bus else {
      mock = nil
      return
    }
    mock = try LineProcess(
      World.product("portal-mock"),
      ["backend"],
      environment: bus.environment + ["PORTAL_MOCK_SCRIPT=\(directory.path)/script"]
    )
    try await mock?.expect("ready ")
  }

  /// What a user says who picks files of this world.
  static func pick(_ paths: String...) -> String {
    "pick " + paths.map { "file://\($0)" }.joined(separator: " ")
  }

  func start(_ arguments: [String]) throws -> LineProcess {
    let place = directory.path
    return try LineProcess(
      World.product("filecoord"),
      ["pick", "--portal"] + arguments,
      environment: [
        "DBUS_SESSION_BUS_ADDRESS=\(address)", "XDG_RUNTIME_DIR=\(place)", "HOME=\(place)",
        "XDG_DATA_HOME=\(place)/data", "XDG_DATA_DIRS=/usr/share", "XDG_STATE_HOME=\(place)/state",
        "FILE_COORDINATION_DIR=\(place)/coordination", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8",
      ]
        + ["LD_LIBRARY_PATH", "TSAN_OPTIONS"].compactMap { name in
          Environment.value(of: name).map { "\(name)=\($0)" }
        },
      withErrors: true
    )
  }

  /// Runs the command to its end; gives what it said, errors among it, and the status.
  func run(_ arguments: String...) async throws -> (lines: [String], status: Int32?) {
    let process = try start(arguments)
    let end = try await process.end()
    // Its end may be known before the last of what it said is read.
    try await eventually("its last words") { process.isClosed }
    guard case .exited(let status) = end else { return (process.lines, nil) }
    return (process.lines, status)
  }
}
