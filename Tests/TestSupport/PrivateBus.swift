package import LinuxSystem

/// A message bus of one test, without a display, and the services that it starts on demand.
///
/// Needs the Debian packages dbus and xdg-desktop-portal; without them the tests fail.
package final class PrivateBus: Sendable {
  private let daemon: LineProcess
  /// `XDG_RUNTIME_DIR` of its services.
  package let runtime: FilePath
  package let address: String

  /// Starts it, with a folder for its services' files.
  ///
  /// The folder `portals` has the `.portal` files of backends; the desktop is `mockde`.
  package init(in directory: FilePath, portals: FilePath? = nil) async throws {
    runtime = directory.appending("run")
    try FileSystem.makeDirectories(runtime)
    var environment = [
      "XDG_RUNTIME_DIR=\(runtime)", "HOME=\(directory)", "PATH=/usr/bin:/bin",
      "XDG_DATA_HOME=\(directory.appending("share"))", "XDG_CURRENT_DESKTOP=mockde",
      "GSETTINGS_BACKEND=memory", "NO_AT_BRIDGE=1", "LC_ALL=C.UTF-8",
    ]
    if let portals { environment.append("XDG_DESKTOP_PORTAL_DIR=\(portals)") }
    daemon = try LineProcess(
      FilePath("/usr/bin/dbus-daemon"),
      ["--session", "--nofork", "--nopidfile", "--print-address=1", "--nosyslog"],
      environment: environment
    )
    address = try await "unix:" + daemon.expect("unix:")
  }

  /// What programs need to find it.
  package var environment: [String] {
    ["DBUS_SESSION_BUS_ADDRESS=\(address)", "XDG_RUNTIME_DIR=\(runtime)"]
  }

  /// Ends it and with it what it started.
  package func kill() { daemon.kill() }
}
