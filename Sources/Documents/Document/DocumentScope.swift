import Foundation
import Synchronization

/// The access that a document's URL carries: begun before the first look, ended after the last.
final class DocumentScope: Sendable {
  private struct Held: Sendable {
    let url: URL
    /// Whether there is something to give back.
    let mustEnd: Bool
  }
  private let held = Mutex<Held?>(nil)

  func begin(_ url: URL) {
    end()
    held.withLock { $0 = Held(url: url, mustEnd: false) }
  }

  /// Once, whoever calls it how often.
  func end() {
    let was = held.withLock { held in
      defer { held = nil }
      return held
    }
    _ = was
  }
}
