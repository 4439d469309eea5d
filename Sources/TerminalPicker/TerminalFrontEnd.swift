package import DocumentPicker
import Foundation
import LinuxSystem

/// Pickers and menus on a terminal, or through pipes, where no terminal is.
///
/// Keys where standard input and output are terminals, else lines. A thread of ours waits for the user.
package final class TerminalFrontEnd: DocumentPickerFrontEnd {
  private let usesKeys: Bool
  private let showing = Mutex<Showing?>(nil)

  private final class Showing: Sendable {
    let poll: EventPoll
    let isPutAway = Mutex(false)
    init() throws(SystemError) {
      poll = try EventPoll()
      // A file or the null device is always readable, and cannot be watched.
      do throws(SystemError) { try poll.add(0) } catch  where error.code == .notPermitted {}
    }
  }

  /// - Parameter usesKeys: Whether the whole screen is used; nil: where there is one.
  package init(usesKeys: Bool? = nil) {
    self.usesKeys =
      usesKeys ?? (TerminalDevice.isOne(0) && TerminalDevice.isOne(1))
  }

  package func select(_ request: SelectionRequest) async throws -> Selection {
    try await onThread { [usesKeys] showing in
      if usesKeys {
        var picker = KeyPicker(showing.poll) { showing.isPutAway.withLock { $0 } }
        return try picker.select(request)
      }
      return try LinePicker().select(request)
    }
  }

  package func chooseFromMenu(title: String, entries: [MenuEntry]) async throws -> String? {
    try await onThread { [usesKeys] showing in
      if usesKeys {
        var picker = KeyPicker(showing.poll) { showing.isPutAway.withLock { $0 } }
        return try picker.chooseFromMenu(title: title, entries: entries)
      }
      return LinePicker().chooseFromMenu(title: title, entries: entries)
    }
  }

  package func dismiss() async {
    guard let showing = showing.withLock({ $0 }) else { return }
    showing.isPutAway.withLock { $0 = true }
    showing.poll.wake()
  }

  private func onThread<R: Sendable>(
    _ body: @escaping @Sendable (Showing) throws -> R
  ) async throws -> R {
    let showing = try Showing()
    self.showing.withLock { $0 = showing }
    defer { self.showing.withLock { $0 = nil } }
    return try await withCheckedThrowingContinuation { continuation in
      do throws(SystemError) {
        try BlockingThread.start("picker") {
          continuation.resume(with: Result { try body(showing) })
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
