import FileCoordination
import Foundation
import LinuxSystem

/// Errors that the application was told of and has not finished handling.
final class ErrorHandling: Sendable {
  private struct Case: Sendable {
    let number: UInt64
    let error: NSError
    let then: @Sendable (_ recovered: Bool) -> Void
  }
  private struct State {
    var next: UInt64 = 0
    var cases: [Case] = []
  }
  private let state = Mutex(State())

  /// How long an application may take.
  static let patience = 60

  /// Begins the handling of an error; `then` runs once, when it is finished, 60 seconds later at most.
  func begin(_ error: NSError, then: @escaping @Sendable (_ recovered: Bool) -> Void) {
    let number = state.withLock { state in
      state.next += 1
      state.cases.append(Case(number: state.next, error: error, then: then))
      return state.next
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patience)) { [weak self] in
      guard let found = self?.take({ $0.number == number }) else { return }
      Diagnostics.report(
        "handleError did not call finishedHandlingError for \(Self.patience) s "
          + "(\(error.localizedDescription)); going on as not recovered"
      )
      found.then(false)
    }
  }

  /// The application finished with an error: with this one, or if it made another of it, the oldest.
  func finish(_ error: any Error, recovered: Bool) {
    let error = error as NSError
    (take { $0.error.isEqual(error) } ?? take { _ in true })?.then(recovered)
  }

  private func take(_ matches: (Case) -> Bool) -> Case? {
    state.withLock { state in
      guard let index = state.cases.firstIndex(where: matches) else { return nil }
      return state.cases.remove(at: index)
    }
  }
}
