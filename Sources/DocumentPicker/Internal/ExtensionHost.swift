import FileCoordination
import Foundation
import LinuxSystem
import ProviderLink

/// Has a file provider's methods called on threads that may block, and its completions come back once.
final class ExtensionHost: ProviderHost {
  private let declaration: ProviderDeclaration
  private let box: ExtensionBox?
  private let showings: PickerShowings
  private let threads = ThreadPool(name: "provider-work")
  /// Changes are told one after the other, in the order in which they came.
  private let changes = DispatchQueue(label: "itemChanged")

  /// The extension, whose methods are for several threads at once, as its documentation says.
  // @unchecked because the reference never changes.
  private struct ExtensionBox: @unchecked Sendable {
    let value: NSFileProviderExtension
  }

  init(
    _ declaration: ProviderDeclaration,
    _ fileProvider: NSFileProviderExtension?,
    _ showings: PickerShowings
  ) {
    self.declaration = declaration
    box = fileProvider.map(ExtensionBox.init)
    self.showings = showings
  }

  private var missing: ProviderFault {
    ProviderFault(CocoaError(.featureUnsupported))
  }

  private func onThread(_ completion: @escaping Completion, _ body: @escaping @Sendable () -> Void)
  {
    do throws(SystemError) { try threads.run(body) } catch {
      completion(ProviderFault(POSIXError(.EAGAIN)))
    }
  }

  func provide(_ item: FilePath, _ completion: @escaping Completion) {
    guard let box else { return completion(missing) }
    let once = OnceCompletion(completion)
    onThread(completion) {
      box.value.startProvidingItem(at: item.url()) { once.complete($0) }
    }
  }

  func makePlaceholder(_ item: FilePath, _ completion: @escaping Completion) {
    guard let box else { return completion(missing) }
    let once = OnceCompletion(completion)
    onThread(completion) {
      box.value.providePlaceholder(at: item.url()) { once.complete($0) }
    }
  }

  func changed(_ item: FilePath, _ completion: @escaping Completion) {
    guard let box else { return completion(nil) }
    changes.async {
      box.value.itemChanged(at: item.url())
      completion(nil)
    }
  }

  /// Lets go of an item inside a write of the provider's own, so that nobody can begin to use it.
  func stop(_ item: FilePath, _ completion: @escaping @Sendable (Bool) -> Void) {
    guard let box else { return completion(true) }
    let identifier = declaration.identifier
    onThread({ _ in completion(false) }) {
      let url = item.url()
      guard !ProvidedItems.isPresented(url) else { return completion(false) }
      let coordinator = NSFileCoordinator()
      // Not the provider's own purpose, which would pass the accesses of its picker.
      coordinator.purposeIdentifier = "\(identifier).stopping"
      do {
        try coordinator.coordinate(
          writingItemAt: url,
          options: .contentIndependentMetadataOnly,
          timeout: .zero
        ) { _ in
          // Gone, or a placeholder already: nothing is here to be let go of.
          guard !Placeholder.stands(for: item), Placeholder.exists(item) else { return }
          guard !ProvidedItems.isPresented(url) else { throw CancellationError() }
          box.value.stopProvidingItem(at: url)
          if !Placeholder.exists(item), !Placeholder.stands(for: item) {
            try PlaceholderFile([.nameKey: url.lastPathComponent]).write(
              to: Placeholder.path(of: item)
            )
          }
        }
        completion(true)
      } catch {
        // Where the item is gone, with its folder or without, there is nothing to let go of.
        completion(!Placeholder.exists(item))
      }
    }
  }

  func picker(
    _ request: [UInt8],
    in conversation: UInt64,
    _ answer: @escaping @Sendable (Result<[UInt8], ProviderFault>) -> Void
  ) {
    let showings = showings
    Task { @MainActor in showings.take(request, in: conversation, answer) }
  }

  func pickerEnded(_ conversation: UInt64) {
    let showings = showings
    Task { @MainActor in showings.end(conversation) }
  }
}

/// A completion that counts once, however often it is called.
private final class OnceCompletion: Sendable {
  private let completion: Mutex<(ProviderHost.Completion)?>
  init(_ completion: @escaping ProviderHost.Completion) { self.completion = Mutex(completion) }
  func complete(_ error: (any Error)?) {
    let completion = completion.withLock { completion in
      defer { completion = nil }
      return completion
    }
    completion?(error.map { ProviderFault($0) })
  }
}
