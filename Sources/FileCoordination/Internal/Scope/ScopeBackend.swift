import LinuxSystem

/// What came of the wish to use an item.
enum ScopeAccess: Sendable {
  /// Access, which lasts as long as the value is kept.
  case held(SharedDescriptor)
  /// Access without anything to hold it by.
  case unheld
  /// None: the kernel would refuse.
  case refused
}

/// What makes access to an item possible, and holds it while it lasts.
///
/// One conformer per way in which processes are confined: not at all (``AmbientScope``), to what the
/// document portal shows (``PortalScope``), to what a broker opens (``BrokerScope``).
protocol ScopeBackend: Sendable {
  /// Access to `path` begins.
  ///
  /// Blocks for as long as opening a file, or asking the broker, takes.
  func begin(_ path: FilePath) -> ScopeAccess
}

/// Ordinary processes: nothing is confined, so nothing has to be opened up.
///
/// Holds a descriptor that pins the item, as long as there are not too many.
struct AmbientScope: ScopeBackend {
  func begin(_ path: FilePath) -> ScopeAccess {
    do throws(SystemError) {
      return .held(SharedDescriptor(try Descriptor.open(path, .itself)))
    } catch {
      // What is not there can still be created: there is nothing to pin yet.
      return .unheld
    }
  }
}
