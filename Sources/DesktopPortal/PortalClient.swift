import LinuxSystem
package import SessionBus

/// Requests to the desktop portal that end with a signal: those that ask the user.
///
/// - SeeAlso: org.freedesktop.portal.Request
package final class PortalClient: Sendable {
  package static let service = "org.freedesktop.portal.Desktop"
  package static let object = "/org/freedesktop/portal/desktop"
  static let request = "org.freedesktop.portal.Request"

  /// How a request ended.
  package enum Response: Sendable, Equatable {
    case done([String: BusValue])
    /// The user said no.
    case cancelled
    /// In another way: most dialogs that are closed without a word end so, and what failed does.
    case ended
  }

  package let bus: SessionBus
  private struct State {
    var watch: BusSubscription?
    var waiting: [UInt64: @Sendable () -> Void] = [:]
    var next: UInt64 = 0
  }
  private let state = Mutex(State())

  package init(bus: SessionBus) { self.bus = bus }

  /// A name for a request: letters, digits and `_`, because of others the portal never answers.
  package static func token() -> String {
    "fc_\(ProcessIdentity.ownNumber)_\(UInt64.random(in: 0...UInt64.max))"
  }

  /// Whether a request may have this name.
  package static func isValid(token: String) -> Bool {
    !token.isEmpty && token.utf8.count <= 128
      && token.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Where the request of a connection with this token has its object.
  package static func path(sender: String, token: String) -> String {
    let name = sender.drop { $0 == ":" }.map { $0 == "." ? "_" : $0 }
    return "\(object)/request/\(String(name))/\(token)"
  }

  /// Calls a method of a portal and waits for the user, without a limit.
  ///
  /// A task that is cancelled closes the dialog, however young it is, and gets `CancellationError`.
  /// The interface is the portal's, as `org.freedesktop.portal.FileChooser`; the arguments are those
  /// before the options, which `handle` values in them index the descriptors of; the token, which names
  /// the request, is for who must know it ahead.
  ///
  /// - Returns: how it ended.
  /// - Throws: ``PortalError``, `CancellationError`
  package func run(
    _ interface: String,
    _ name: String,
    _ arguments: [BusValue],
    descriptors: [CInt] = [],
    options: [String: BusValue],
    token: String = PortalClient.token()
  ) async throws -> Response {
    guard Self.isValid(token: token) else {
      throw PortalError.nonsense("'\(token)' cannot name a request: letters, digits and _ only")
    }
    try Task.checkCancellation()
    let expected = Self.path(sender: bus.uniqueName, token: token)
    let (answers, feed) = AsyncStream<[BusValue]?>.makeStream()
    let number = await watchPortal { feed.yield(nil) }
    defer { state.withLock { _ = $0.waiting.removeValue(forKey: number) } }
    // Before the call: the answer may be there before the call has returned.
    var subscriptions = [await subscribe(at: expected, feed)]
    var options = options
    options["handle_token"] = .string(token)
    let method = BusMethod(Self.service, Self.object, interface, name)
    let reply: [BusValue]
    do throws(BusError) {
      reply = try await bus.call(
        method,
        arguments + [.options(options)],
        descriptors: descriptors
      )
    } catch { throw PortalError(error, of: "desktop portal with \(interface)") }
    guard let handle = reply.first?.text else {
      throw PortalError.nonsense("\(method) answered without a request")
    }
    // Portals before 0.9 chose the path themselves.
    if handle != expected { subscriptions.append(await subscribe(at: handle, feed)) }
    defer { withExtendedLifetime(subscriptions) {} }
    for await answer in answers {
      guard let answer else {
        throw PortalError.gone("the desktop portal ended while \(method) waited for the user")
      }
      guard answer.count == 2, let code = answer[0].number, let results = answer[1].options else {
        throw PortalError.nonsense("\(method) was answered with \(answer)")
      }
      return code == 0 ? .done(results) : code == 1 ? .cancelled : .ended
    }
    // Only the end of the task ends the stream.
    let bus = bus
    await Task.detached { await Self.close(handle, on: bus) }.value
    throw CancellationError()
  }

  /// Whether a backend of the portal runs, which is what shows dialogs.
  ///
  /// A portal whose backend cannot start answers as if the user had closed the dialog.
  func hasBackend() async -> Bool {
    let method = BusMethod(
      "org.freedesktop.DBus",
      "/org/freedesktop/DBus",
      "org.freedesktop.DBus",
      "ListNames"
    )
    do throws(BusError) {
      let names = try await bus.call(method).first?.elements ?? []
      return names.compactMap(\.text).contains {
        $0.hasPrefix("org.freedesktop.impl.portal.desktop.")
      }
    } catch { return false }  // without a bus nobody is there
  }

  /// Asks for a property of the portal; its arguments are an interface and a name.
  package static let versionMethod = BusMethod(
    service,
    object,
    "org.freedesktop.DBus.Properties",
    "Get"
  )

  /// Which version of an interface the portal has; nil: none.
  ///
  /// Starts the portal where it can be started. Suspends until it has answered.
  package func version(of interface: String) async -> Int? {
    // No bus, no portal, or one without this interface.
    guard let reply = try? await versionQuestion(interface), case .variant(let value)? = reply.first
    else { return nil }
    return value.number
  }

  /// The same as the bus answers it.
  func versionQuestion(_ interface: String) async throws(BusError) -> [BusValue] {
    try await bus.call(Self.versionMethod, [.string(interface), .string("version")])
  }

  private func subscribe(
    at path: String,
    _ feed: AsyncStream<[BusValue]?>.Continuation
  ) async -> BusSubscription {
    await bus.subscribe(to: "Response", of: Self.request, at: path, from: Self.service) {
      feed.yield($0)
    }
  }

  /// Tells requests that wait when the portal's process ends: no answer would ever come.
  private func watchPortal(_ gone: @escaping @Sendable () -> Void) async -> UInt64 {
    if state.withLock({ $0.watch == nil }) {
      let watch = await bus.subscribe(
        to: "NameOwnerChanged",
        of: "org.freedesktop.DBus",
        at: "/org/freedesktop/DBus",
        from: "org.freedesktop.DBus",
        about: Self.service
      ) { [weak self] values in
        guard values.count == 3, values[1].text?.isEmpty == false, values[2].text == "" else {
          return
        }
        let waiting = self?.state.withLock { Array($0.waiting.values) } ?? []
        for body in waiting { body() }
      }
      state.withLock { if $0.watch == nil { $0.watch = watch } }
    }
    return state.withLock { state in
      state.next += 1
      state.waiting[state.next] = gone
      return state.next
    }
  }

  /// Closes a dialog.
  ///
  /// One that has just been asked for is not there yet: tried again until it is.
  private static func close(_ handle: String, on bus: SessionBus) async {
    let method = BusMethod(service, handle, request, "Close")
    for attempt in 0..<50 {
      do throws(BusError) {
        _ = try await bus.call(method)
        return
      } catch  where error.kind == .unknownMethod {
        // 5 s in all; a detached task is not cancelled, so the sleep only sleeps.
        try? await Task.sleep(for: .milliseconds(min(10 * (attempt + 1), 120)))
      } catch { return }  // the portal is gone, and the dialog with it
    }
  }
}
