package import LinuxSystem
import SessionBus

/// Opens files in programs outside of a sandbox, through the desktop portal.
///
/// Files go as descriptors: the portal refuses `file:` URLs, which a confined program could make up.
/// - SeeAlso: org.freedesktop.portal.OpenURI
package struct FileOpener: Sendable {
  package static let interface = "org.freedesktop.portal.OpenURI"

  package struct Request: Sendable {
    /// Whether the user is asked for the program even if there is a preferred one.
    package var asks = false
    /// Whether the program may write; the descriptor must be open for it then, and only then.
    package var isWritable = false
    /// `x11:<number>`, `wayland:<handle>`, or nothing.
    package var parentWindow = ""
    /// What the compositor gave out so that the program may take the focus.
    package var activationToken: String?
    package init() {}
  }

  private let client: PortalClient

  package init(_ client: PortalClient) { self.client = client }

  /// Which version of the interface there is; nil: none.
  ///
  /// Starts the portal where it can be started. Suspends until it has answered.
  package func version() async -> Int? { await client.version(of: Self.interface) }

  /// Has the portal open a file in the user's program, or ask for one; suspends until the program was
  /// started, or the user wants none (false).
  ///
  /// - Throws: ``PortalError``: `refused` where no program was started and the user is not known to have
  ///   said so; `CancellationError` after the dialog was closed for a cancelled task.
  package func open(
    _ file: SharedDescriptor,
    _ request: Request = Request(),
    token: String = PortalClient.token()
  ) async throws -> Bool {
    var options: [String: BusValue] = ["writable": .bool(request.isWritable)]
    if request.asks { options["ask"] = .bool(true) }
    if let token = request.activationToken { options["activation_token"] = .string(token) }
    return try await run("OpenFile", file, request, options, token)
  }

  /// Has the portal show a file in its folder; suspends until it was shown, or the user wants none (false).
  ///
  /// - Throws: as ``open(_:_:token:)``.
  package func reveal(
    _ file: SharedDescriptor,
    _ request: Request = Request(),
    token: String = PortalClient.token()
  ) async throws -> Bool {
    var options: [String: BusValue] = [:]
    if let token = request.activationToken { options["activation_token"] = .string(token) }
    return try await run("OpenDirectory", file, request, options, token)
  }

  private func run(
    _ method: String,
    _ file: SharedDescriptor,
    _ request: Request,
    _ options: [String: BusValue],
    _ token: String
  ) async throws -> Bool {
    let response = try await client.run(
      Self.interface,
      method,
      [.string(request.parentWindow), .handle(0)],
      descriptors: [file.number],
      options: options,
      token: token
    )
    // The number must stay the file's until the message was sent.
    withExtendedLifetime(file) {}
    switch response {
    case .done: return true
    case .cancelled: return false
    // A dialog that was closed, or a program that could not be started: the portal does not say.
    case .ended where request.asks: return false
    case .ended:
      throw PortalError.refused(
        "the desktop portal did not open it: there is no program for it, it could not be started, or "
          + "its dialog was closed"
      )
    }
  }
}
