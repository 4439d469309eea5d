import DesktopPortal
public import DocumentPicker
import Foundation
import LinuxSystem
import SessionBus

/// Pickers as the user's desktop shows them: its own file dialog, through the desktop portal.
///
/// It shows the file system, and nothing of other providers: those have the terminal's picker. What is
/// chosen is looked at again by the picker, whatever the dialog says. A connection of its own to the
/// session bus is made when it is first needed, on a thread of its own, and is kept.
///
/// - SeeAlso: org.freedesktop.portal.FileChooser
public final class PortalFrontEnd: DocumentPickerFrontEnd {
  private struct State {
    var client: PortalClient?
    var showing: Task<FileChooser.Answer?, any Error>?
    var isPutAway = false
  }
  private let state = Mutex(State())
  private let address: String?
  private let parentWindow: String
  private let title: String?

  /// A front end on a bus.
  ///
  /// Does nothing yet.
  /// - Parameters:
  ///   - busAddress: The bus that the portal is on; nil: the session's.
  ///   - parentWindow: The window that the dialog belongs to: `x11:` and its number in hexadecimal
  ///     digits, or `wayland:` and its handle; empty: none.
  ///   - title: What the dialog is called; nil: by what is done.
  public init(busAddress: String? = nil, parentWindow: String = "", title: String? = nil) {
    address = busAddress
    self.parentWindow = parentWindow
    self.title = title
  }

  /// What is missing for the dialog to be shown, and what to do about it; nil: nothing that is known.
  ///
  /// Starts the portal where it can be started. Suspends until it has answered.
  public func missingPart() async -> String? {
    do { return try await FileChooser(client()).missingPart() } catch { return "\(error)" }
  }

  /// Shows the dialog; suspends until the user has done with it.
  ///
  /// A name that is taken is asked for again. If the portal dies meanwhile, this throws at once.
  /// - Throws: `DocumentPickerError.frontEndUnavailable` that says which of session bus, portal and
  ///   backend is missing; `CancellationError` after ``dismiss()``.
  public func select(_ request: SelectionRequest) async throws -> Selection {
    guard request.providers.contains(where: { $0.id == .files }) else {
      throw DocumentPickerError.frontEndUnavailable(
        "the desktop's file dialog shows files only, which are switched off or not asked for."
      )
    }
    state.withLock { $0.isPutAway = false }
    var dialog = PortalDialog(request)
    dialog.request.parentWindow = parentWindow
    if let title { dialog.request.title = title }
    if request.mode.picksItems {
      guard let urls = try await show(dialog.request) else { return .cancelled }
      return .items(.files, urls)
    }
    let title = dialog.request.title
    while true {
      guard let urls = try await show(dialog.request) else { return .cancelled }
      let places = dialog.places(urls)
      guard let taken = PortalDialog.taken(places) else { return .destinations(.files, places) }
      dialog.request.title = "\(title): “\(taken)” is there already, choose another name"
    }
  }

  /// Throws `DocumentPickerError.frontEndUnavailable(_:)`: portals have no menus.
  public func chooseFromMenu(title: String, entries: [MenuEntry]) async throws -> String? {
    throw DocumentPickerError.frontEndUnavailable(
      "the desktop portal has no menus: show a picker at once, or the menu on a terminal."
    )
  }

  /// Closes the dialog, if one is shown.
  public func dismiss() async {
    let showing = state.withLock { state in
      state.isPutAway = true
      return state.showing
    }
    showing?.cancel()
  }

  // MARK: pieces

  private func show(_ request: FileChooser.Request) async throws -> [URL]? {
    do {
      let chooser = FileChooser(try await client())
      let showing = Task { try await chooser.run(request) }
      let isPutAway = state.withLock { state in
        state.showing = showing
        return state.isPutAway
      }
      defer { state.withLock { $0.showing = nil } }
      if isPutAway { showing.cancel() }
      let answer = try await withTaskCancellationHandler {
        try await showing.value
      } onCancel: {
        showing.cancel()
      }
      return answer?.urls
    } catch let error as PortalError {
      throw await unavailable(error)
    }
  }

  /// What a failure means; the next dialog gets a new connection.
  private func unavailable(_ error: PortalError) async -> any Error {
    let client = state.withLock { state in
      defer { state.client = nil }
      return state.client
    }
    // The portal's own words say what it was asked for, not what it lacks.
    if case .bus = error, let client, let part = await FileChooser(client).missingPart() {
      return DocumentPickerError.frontEndUnavailable(part)
    }
    return DocumentPickerError.frontEndUnavailable("\(error)")
  }

  private func client() async throws -> PortalClient {
    if let client = state.withLock({ $0.client }) { return client }
    let address = address
    let bus: SessionBus = try await withCheckedThrowingContinuation { continuation in
      do throws(SystemError) {
        try BlockingThread.start("fc-portal") {
          continuation.resume(
            with: Result {
              do throws(BusError) { return try SessionBus(address: address) } catch {
                throw PortalError.missing("\(error)")
              }
            }
          )
        }
      } catch { continuation.resume(throwing: error) }
    }
    let client = PortalClient(bus: bus)
    return state.withLock { state in
      if let other = state.client { return other }
      state.client = client
      return client
    }
  }
}
