import LinuxSystem

/// What makes access to an item possible, and holds it while it lasts.
///
/// One conformer per way in which processes are confined; ordinary ones are not (``AmbientScope``).
protocol ScopeBackend: Sendable {
  /// What is held while an access lasts; ends with the value.
  associatedtype Hold: Sendable
  /// Access to `path` begins; nil where there is no means to hold it, which does not forbid it.
  func begin(_ path: FilePath) -> Hold?
}

/// Ordinary processes: nothing is confined, so nothing has to be opened up.
///
/// Holds a descriptor that pins the item, as long as there are not too many.
struct AmbientScope: ScopeBackend {
  func begin(_ path: FilePath) -> SharedDescriptor? {
    do throws(SystemError) {
      return SharedDescriptor(try Descriptor.open(path, [.pathOnly, .noFollow]))
    } catch {
      // What is not there can still be created: there is nothing to pin yet.
      return nil
    }
  }
}
