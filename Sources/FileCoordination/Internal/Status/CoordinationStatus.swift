package import AccessClaims
package import CoordinationRuntime
package import LinuxSystem
import PresenterLink

/// Who holds what, who waits for whom, who presents what and what is polled, in all processes.
///
/// A snapshot of things that go on: nothing is stopped while it is taken.
package struct CoordinationStatus: Sendable {
  /// One process that presents items.
  package struct Presenter: Sendable {
    package let process: ProcessIdentity
    package let paths: [FilePath]
  }

  /// One tree that is looked at now and then instead of being watched.
  package struct Polled: Sendable {
    package let process: ProcessIdentity
    package let path: FilePath
    package let reason: String
  }

  /// Every claim, and every lock that outlived its claim.
  package let claims: [ClaimReport]
  package let presenters: [Presenter]
  package let polled: [Polled]

  /// How things stand now; with a canonical path, only what concerns it, what it lies in and what lies
  /// in it.
  ///
  /// Takes no lock and asks nobody. Blocks for as long as it takes to read a few files per process.
  /// - Throws: why the coordination directory cannot be used.
  package static func snapshot(for path: FilePath? = nil) throws(RuntimeDirectoryError)
    -> CoordinationStatus
  {
    let runtime = try RuntimeDirectory.shared()
    return CoordinationStatus(
      claims: try ClaimReport.all(in: runtime).filter { report in
        report.items.contains { concerns($0.path, path) || concerns($0.claimed, path) }
      },
      presenters: try PresenterLink.shared().everything().compactMap { presence in
        let paths = presence.paths.filter { concerns($0, path) }.sorted()
        return paths.isEmpty ? nil : Presenter(process: presence.process, paths: paths)
      },
      polled: try PeerFolder.all(in: runtime).flatMap { process in
        PolledTrees.read(of: process, in: runtime).compactMap { entry in
          guard let tree = FilePath(entry.url), concerns(tree, path) else { return nil }
          return Polled(process: process, path: tree, reason: entry.reason)
        }
      }
    )
  }

  /// Whether two items are one, or one lies in the other.
  package static func concerns(_ path: FilePath, _ wanted: FilePath?) -> Bool {
    guard let wanted else { return true }
    return path == wanted || path.isInside(wanted) || wanted.isInside(path)
  }
}
