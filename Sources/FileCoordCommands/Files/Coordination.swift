import FileCoordination
import Foundation
import LinuxSystem

/// How the command coordinates: with which limits, and what a signal does meanwhile.
struct Coordination {
  static let timeout = OptionDescription(
    "timeout",
    "t",
    argument: "SECONDS",
    "give up (status 75) if it takes longer to get access"
  )
  static let purpose = OptionDescription(
    "purpose",
    "p",
    argument: "ID",
    "do not wait for accesses of the same purpose"
  )

  let interruption: Interruption
  let timeLimit: Duration?
  let purpose: String?

  init(_ arguments: ParsedArguments, _ surroundings: Surroundings) throws {
    interruption = surroundings.interruption
    timeLimit = try arguments.duration(Self.timeout)
    purpose = try arguments.text(Self.purpose)
  }

  /// Runs `body` with a coordinator that a signal cancels.
  func run<R>(_ body: (NSFileCoordinator) throws -> R) throws -> R {
    let coordinator = NSFileCoordinator()
    if let purpose { coordinator.purposeIdentifier = purpose }
    let handle = CancelHandle(coordinator)
    do {
      return try interruption.during(
        { try body(coordinator) },
        onSignal: { _ in handle.cancel() }
      )
    } catch let error as CoordinationError where error.code == .cancelled {
      try interruption.check()
      throw error
    }
  }
}

/// A coordinator, as far as other threads may touch it.
// @unchecked because only cancel() is reached through it, which any thread may call.
private struct CancelHandle: @unchecked Sendable {
  private let coordinator: NSFileCoordinator
  init(_ coordinator: NSFileCoordinator) { self.coordinator = coordinator }
  func cancel() { coordinator.cancel() }
}
