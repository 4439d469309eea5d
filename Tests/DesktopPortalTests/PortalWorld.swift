import DesktopPortal
import LinuxSystem
import SessionBus
import TestSupport

/// A bus of one test with a portal on it, and whoever plays the user.
final class PortalWorld: Sendable {
  enum Kind: String { case backend, portal }
  let directory: TemporaryDirectory
  let bus: PrivateBus
  let mock: LineProcess
  let chooser: FileChooser
  let client: PortalClient

  /// The real xdg-desktop-portal with a backend of ours, or a portal of ours.
  init(_ kind: Kind = .backend) async throws {
    directory = try TemporaryDirectory()
    try File(
      "mock.portal",
      """
      [portal]
      DBusName=org.freedesktop.impl.portal.desktop.mock
      Interfaces=org.freedesktop.impl.portal.FileChooser;org.freedesktop.impl.portal.AppChooser;
      UseIn=mockde

      """
    ).write(into: directory.path)
    bus = try await PrivateBus(in: directory.path, portals: directory.path)
    mock = try LineProcess(
      World.product("portal-mock"),
      [kind.rawValue],
      environment: bus.environment
    )
    try await mock.expect("ready ")
    client = PortalClient(bus: try SessionBus(address: bus.address))
    chooser = FileChooser(client)
  }
}
