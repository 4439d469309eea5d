import PeerScript
import TestSupport

extension World {
  /// Waits until so many claims of the test's peers wait in line.
  func waiters(_ count: Int) async throws {
    // Seen from outside through `status` once it is there; until then time stands in.
    _ = try await never(for: .milliseconds(200)) { false }
  }
}
