import FileCoordination
import Foundation
import LinuxSystem

/// The access that a document's URL carries: begun before the first look, ended after the last.
final class DocumentScope: Sendable {
  private struct Held: Sendable {
    let url: URL
    /// Whether there is something to give back.
    let mustEnd: Bool
    func end() { if mustEnd { url.stopAccessingSecurityScopedResource() } }
  }
  private let held = Mutex<Held?>(nil)

  /// A document that is released while it is open.
  deinit { end() }

  /// The item moved: nothing to do unless there is access.
  func move(to url: URL) {
    if held.withLock({ $0 != nil }) { begin(url) }
  }

  func begin(_ url: URL) {
    let started = Held(url: url, mustEnd: url.startAccessingSecurityScopedResource())
    let was = held.withLock { held in
      defer { held = started }
      return held
    }
    // The new one first: the scope of a directory must not end in between.
    was?.end()
  }

  /// Once, whoever calls it how often.
  func end() {
    let was = held.withLock { held in
      defer { held = nil }
      return held
    }
    was?.end()
  }
}
