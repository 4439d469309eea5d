import DesktopPortal
import FileCoordination
import LinuxSystem
import SessionBus

/// Whether this process is kept from others, and how it reaches their programs then: through the portal.
package enum Confinement {
  /// Whether a sandbox is around it: one of ours, or Flatpak's, which leaves a file at the root.
  ///
  /// Only says who is asked to open files. Who sets the variable for an ordinary program changes that, and
  /// nothing else.
  package static let isConfined: Bool =
    Environment.value(of: BrokerMessage.applicationVariable)?.count ?? 0 > 0
    || FileSystem.exists(FilePath("/.flatpak-info"))

  /// Whether the portal is there and can open files; blocks until it has answered.
  static var canOpen: Bool {
    do throws(BusError) {
      let bus = try SessionBus()
      let reply = try bus.call(
        PortalClient.versionMethod,
        [.string(FileOpener.interface), .string("version")]
      )
      if case .variant? = reply.first { return true }
      return false
    } catch { return false }  // no bus, no portal, or one that opens nothing
  }

  /// Runs a request to the portal on a connection of its own.
  ///
  /// - Throws: ``PortalError``, `CancellationError`.
  static func ask(
    _ request: (FileOpener) async throws -> Bool
  ) async throws -> Bool {
    let bus: SessionBus
    do throws(BusError) { bus = try SessionBus() } catch {
      throw PortalError.missing(
        "this program is confined, and there is no session bus to reach the desktop portal over (\(error))"
      )
    }
    return try await request(FileOpener(PortalClient(bus: bus)))
  }
}
