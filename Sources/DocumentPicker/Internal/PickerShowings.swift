import FileCoordination
import Foundation
import LinuxSystem
import ProviderLink

/// The view controllers of a provider that pickers of other programs show now.
@MainActor final class PickerShowings {
  typealias Answer = @Sendable (Result<[UInt8], ProviderFault>) -> Void

  private let declaration: ProviderDeclaration
  private let make: @MainActor () -> UIDocumentPickerExtensionViewController
  private var shown: [UInt64: UIDocumentPickerExtensionViewController] = [:]

  nonisolated init(
    _ declaration: ProviderDeclaration,
    _ make: @escaping @MainActor () -> UIDocumentPickerExtensionViewController
  ) {
    self.declaration = declaration
    self.make = make
  }

  func take(_ request: [UInt8], in conversation: UInt64, _ answer: @escaping Answer) {
    do {
      switch try JSONDecoder().decode(PickerRequest.self, from: Data(request)) {
      case .present(let presentation):
        let controller = make()
        shown[conversation] = controller
        controller.begin(presentation, declaration: declaration)
        Self.say(.page(controller.page), answer)
      case .select(let text):
        guard let url = URL(string: text), url.isFileURL else { throw CocoaError(.fileReadUnknown) }
        act(conversation, answer) { $0.didSelectItem(at: url) }
      case .confirm:
        act(conversation, answer) { $0.didConfirm() }
      }
    } catch {
      answer(.failure(ProviderFault(error)))
    }
  }

  func end(_ conversation: UInt64) { shown[conversation] = nil }

  /// Has the view controller do something; answers when it is put away, at once or later.
  private func act(
    _ conversation: UInt64,
    _ answer: @escaping Answer,
    _ body: (UIDocumentPickerExtensionViewController) -> Void
  ) {
    guard let controller = shown[conversation] else {
      return answer(.failure(ProviderFault(CocoaError(.featureUnsupported))))
    }
    controller.onDismissal = { [weak self] url in
      self?.shown[conversation] = nil
      Self.say(.dismissed(url?.absoluteString), answer)
    }
    body(controller)
  }

  private static func say(_ message: PickerAnswer, _ answer: Answer) {
    do { answer(.success(Array(try JSONEncoder().encode(message)))) } catch {
      answer(.failure(ProviderFault(error)))
    }
  }
}
