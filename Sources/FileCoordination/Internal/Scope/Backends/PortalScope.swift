import LinuxSystem

/// Documents that the document portal shows: they can be used as long as they are shown.
struct PortalScope: ScopeBackend {
  func begin(_ path: FilePath) -> ScopeAccess {
    do throws(SystemError) {
      return .held(SharedDescriptor(try Descriptor.open(path, [.pathOnly, .noFollow])))
    } catch {
      // A document that was taken away has no path any more; one whose file was deleted still has
      // its folder, in which a new one can be made.
      guard error.code == .noEntry, let folder = path.parent,
        (try? FileStatus(of: folder).kind) == .directory
      else { return .refused }
      return .unheld
    }
  }
}
