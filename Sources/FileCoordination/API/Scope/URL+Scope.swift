public import Foundation

extension URL {
  /// Begins the access that came with this URL, from a bookmark or a picker.
  ///
  /// Does not block beyond one open(2). Call ``stopAccessingSecurityScopedResource()`` once for each
  /// true. False means that there is nothing to give back: the file may be accessible all the same.
  /// The access belongs to the path: any URL for it, or for an item in it, has it. In an ordinary
  /// process nothing is enforced; the process's end ends all access.
  ///
  /// Apple symbol: URL.startAccessingSecurityScopedResource().
  public func startAccessingSecurityScopedResource() -> Bool {
    ScopeRegistry.shared.start(self)
  }

  /// Ends one access that was begun; the last one ends it for good.
  ///
  /// One too many is ignored.
  ///
  /// Apple symbol: URL.stopAccessingSecurityScopedResource().
  public func stopAccessingSecurityScopedResource() {
    ScopeRegistry.shared.stop(self)
  }

  /// Ours: runs `body` with the access of this URL begun, and ends it whatever happens.
  public func withSecurityScope<R>(_ body: () throws -> R) rethrows -> R {
    let mustStop = startAccessingSecurityScopedResource()
    defer { if mustStop { stopAccessingSecurityScopedResource() } }
    return try body()
  }
}

extension NSURL {
  /// As `URL.startAccessingSecurityScopedResource()`.
  ///
  /// Apple symbol: NSURL.startAccessingSecurityScopedResource().
  public func startAccessingSecurityScopedResource() -> Bool {
    ScopeRegistry.shared.start(self as URL)
  }

  /// As `URL.stopAccessingSecurityScopedResource()`.
  ///
  /// Apple symbol: NSURL.stopAccessingSecurityScopedResource().
  public func stopAccessingSecurityScopedResource() {
    ScopeRegistry.shared.stop(self as URL)
  }
}
