import AccessClaims
import CoordinationRuntime
import PeerScript
import TestSupport

extension World {
  /// Waits until so many claims of the test's peers wait in line, as `filecoord status` would say.
  func waiters(_ count: Int) async throws {
    try await eventually("\(count) claims wait") { try waiting() >= count }
  }

  /// How many claims wait in line now.
  func waiting() throws -> Int {
    let directory = try RuntimeDirectory(
      RuntimeDirectory.Choice(path: runtime, isExplicit: true, isTemporary: false)
    )
    return try ClaimReport.all(in: directory).filter { report in
      if case .waiting = report.state { return true }
      return false
    }.count
  }
}
