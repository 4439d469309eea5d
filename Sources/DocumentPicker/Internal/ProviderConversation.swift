import FileCoordination
import Foundation
import LinuxSystem
import ProviderLink

/// A provider's part of a picker, as the program sees it that shows the picker.
///
/// What blocks runs on a thread of ours. The conversation ends with the value.
final class ProviderConversation: Sendable {
  private let connection: ProviderConnection
  private let declaration: ProviderDeclaration

  private init(_ connection: ProviderConnection, _ declaration: ProviderDeclaration) {
    self.connection = connection
    self.declaration = declaration
  }

  /// Begins one, starting the provider's process where needed, and says what is to be shown.
  static func begin(
    _ declaration: ProviderDeclaration,
    _ presentation: PickerRequest.Presentation
  ) async throws -> (ProviderConversation, ProviderPage) {
    let conversation = try await onThread(declaration) {
      ProviderConversation(try ProviderConnection.open(to: declaration), declaration)
    }
    guard case .page(var page) = try await conversation.ask(.present(presentation)) else {
      throw failure(.garbled, declaration)
    }
    page.confirmTitle = page.confirmTitle.map(DisplayText.clean)
    page.warning = page.warning.map(DisplayText.clean)
    page.mayLeaveFolder = false
    return (conversation, page)
  }

  /// The user chose an item; nil: the provider hands nothing over.
  func select(_ item: URL) async throws -> URL? {
    try await handedOver(.select(item.absoluteString))
  }

  /// The user pressed the provider's button.
  func confirm() async throws -> URL? { try await handedOver(.confirm) }

  private func handedOver(_ request: PickerRequest) async throws -> URL? {
    guard case .dismissed(let text) = try await ask(request) else {
      throw Self.failure(.garbled, declaration)
    }
    guard let text else { return nil }
    guard let url = URL(string: text), url.isFileURL else {
      throw Self.failure(.garbled, declaration)
    }
    return url
  }

  private func ask(_ request: PickerRequest) async throws -> PickerAnswer {
    let body = Array(try JSONEncoder().encode(request))
    return try await Self.onThread(declaration) { [connection, declaration] in
      guard case .answer(let bytes) = try connection.ask(.picker(body)) else {
        throw ProviderFailure.garbled
      }
      do { return try JSONDecoder().decode(PickerAnswer.self, from: Data(bytes)) } catch {
        throw Self.failure(.garbled, declaration)
      }
    }
  }

  private static func onThread<R: Sendable>(
    _ declaration: ProviderDeclaration,
    _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await BlockingWork.run {
      do { return try body() } catch let error as ProviderFailure {
        throw failure(error, declaration)
      }
    }
  }

  private static func failure(
    _ failure: ProviderFailure,
    _ declaration: ProviderDeclaration
  ) -> any Error {
    let who = "The provider “\(declaration.displayName)”"
    let reason =
      switch failure {
      case .refused(let fault): "\(who) failed: \(fault)"
      case .cannotStart(let error): "\(who) cannot be started (\(error)); see \(declaration.file)."
      case .died: "\(who) ended before it had answered; nothing was picked."
      case .silent, .timedOut, .cancelled: "\(who) does not answer; nothing was picked."
      case .garbled: "\(who) does not speak as it must; nothing was picked."
      case .unreachable(let error): "\(who) could not be asked (\(error))."
      }
    if case .refused(let fault) = failure { return fault.nsError }
    return DocumentPickerError.providerUnavailable(reason)
  }
}
