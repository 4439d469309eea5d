package import LinuxSystem

/// One registered presentation of a path; ends with ``PresenterLink/withdraw(_:)``.
package struct PresenceID: Hashable, Sendable {
  let number: UInt64
}

/// Which presenters somebody looks for.
///
/// All paths are canonical and absolute.
package struct PresenceQuery: Sendable, Equatable {
  /// Presenters of exactly these.
  package var exact: [FilePath]
  /// Presenters of anything inside these, at any depth.
  package var inside: [FilePath]
  /// Presenters of exactly these and of any directory above: cheaper than naming them all.
  package var upwards: [FilePath]

  package init(exact: [FilePath] = [], inside: [FilePath] = [], upwards: [FilePath] = []) {
    self.exact = exact
    self.inside = inside
    self.upwards = upwards
  }
}

/// What one process presents.
package struct PeerPresence: Sendable, Hashable {
  package let process: ProcessIdentity
  /// The presented paths that were looked for, each once.
  package let paths: [FilePath]

  package init(process: ProcessIdentity, paths: [FilePath]) {
    self.process = process
    self.paths = paths
  }
}
