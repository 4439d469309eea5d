import LinuxSystem

/// Files that a confined program cannot open itself: its broker does.
struct BrokerScope: ScopeBackend {
  let broker: BrokerConnection

  func begin(_ path: FilePath) -> ScopeAccess {
    do throws(SystemError) {
      // The program's own files.
      return .held(
        SharedDescriptor(try Descriptor.open(path, [.readOnly, .noFollow, .nonBlocking]))
      )
    } catch  where error.code == .permissionDenied || error.code == .notPermitted {
      do {
        return .held(try broker.open(path, forWriting: false))
      } catch { return .refused }  // `FileScope.open` says why
    } catch { return .unheld }
  }
}
