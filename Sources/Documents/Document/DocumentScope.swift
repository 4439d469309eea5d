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

  /// A document that was released while it was open.
  deinit { end() }

  func begin(_ url: URL) {
    let started = Held(url: url, mustEnd: url.startAccessingSecurityScopedResource())
    let was = held.withLock { held in
      defer { held = started }
      return held
    }
    // The new one first: the scope of a directory must not end in between.
    was?.end()
  }

  /// The document is somewhere else: access goes on there, or stays where it was begun.
  ///
  /// A URL that carries no access of its own may lie in a directory that does.
  func move(to url: URL) {
    let isHeld = held.withLock { held in held != nil && held?.url != url }
    guard isHeld, url.startAccessingSecurityScopedResource() else { return }
    let started = Held(url: url, mustEnd: true)
    let was = held.withLock { held -> Held? in
      // Ended meanwhile: then this one ends, too.
      guard let was = held else { return started }
      held = started
      return was
    }
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
