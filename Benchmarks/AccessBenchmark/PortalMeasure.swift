import BenchmarkHarness
import DesktopPortal
import Foundation
import LinuxSystem
import SessionBus

/// A file dialog from the call to the answer, against a bare client of GDBus in C doing the same.
///
/// The portal is the real one, on a bus of its own; the user is played by `portal-mock`.
enum PortalMeasure {
  private static let rounds = 300

  static func run(_ work: WorkDirectory) async throws -> [Measure] {
    let rig = try PortalRig(work)
    defer { rig.end() }
    let chooser = FileChooser(PortalClient(bus: try SessionBus(address: rig.address)))
    let request = FileChooser.Request(.open(), title: "pick file:///tmp/a")
    func ours() async throws -> Double {
      let start = nanoseconds()
      guard try await chooser.run(request)?.urls.count == 1 else {
        throw MeasurementError("the dialog gave no file")
      }
      return nanoseconds() - start
    }
    let bare = try rig.client(rounds + 20)
    var pairs = Pairs()
    for round in 0..<(rounds + 20) {
      let first = round % 2 == 0 ? try await ours() : 0
      let floor = try bare.next()
      let value = round % 2 == 0 ? first : try await ours()
      if round >= 20 { pairs.add(ours: value, floor: floor) }
    }
    return [
      Measure(
        name: "portal.round-trip",
        value: pairs.ratio,
        bar: 1.5,
        unit: "x",
        detail: "bare GDBus: \(Figure.time(Statistics.median(pairs.floor))); ours: "
          + "\(Figure.time(Statistics.median(pairs.ours))); \(rounds) pairs"
      )
    ]
  }
}

/// A bus, a portal and whoever plays the user.
final class PortalRig {
  let address: String
  private let environment: [String: String]
  private var processes: [LineProgram] = []

  init(_ work: WorkDirectory) throws {
    let directory = try work.makeDirectory("portal")
    let runtime = try work.makeDirectory("run")
    try Data(
      """
      [portal]
      DBusName=org.freedesktop.impl.portal.desktop.mock
      Interfaces=org.freedesktop.impl.portal.FileChooser;
      UseIn=mockde

      """.utf8
    ).write(to: URL(fileURLWithPath: directory + "/mock.portal"))
    guard let daemon = Program.find("dbus-daemon") else {
      throw MeasurementError("dbus-daemon is missing (Debian package dbus-daemon)")
    }
    var environment = [
      "XDG_RUNTIME_DIR": runtime, "XDG_CURRENT_DESKTOP": "mockde",
      "XDG_DESKTOP_PORTAL_DIR": directory, "XDG_DATA_HOME": directory, "HOME": directory,
    ]
    let bus = try LineProgram(
      daemon,
      ["--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1"],
      environment
    )
    address = try bus.line()
    environment["DBUS_SESSION_BUS_ADDRESS"] = address
    self.environment = environment
    let mock = try LineProgram(Self.mock, ["backend"], environment)
    _ = try mock.line()
    mock.ignoreOutput()
    processes = [mock, bus]
  }

  private static var mock: String {
    URL(fileURLWithPath: Program.own).deletingLastPathComponent().path + "/portal-mock"
  }

  /// A bare client that does one round after the other.
  func client(_ count: Int) throws -> BareClient {
    let program = try LineProgram(Self.mock, ["client", "\(count)"], environment)
    processes.insert(program, at: 0)
    return BareClient(program)
  }

  func end() { for process in processes { process.kill() } }
}

/// The client in C.
struct BareClient {
  private let program: LineProgram
  init(_ program: LineProgram) { self.program = program }

  /// Nanoseconds of its next round.
  func next() throws -> Double {
    try program.say("")
    guard let value = Double(try program.line()) else {
      throw MeasurementError("the bare client of the portal failed")
    }
    return value
  }
}
