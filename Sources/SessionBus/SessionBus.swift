import CGIO
import LinuxSystem

/// A connection of our own to a message bus, through GDBus.
///
/// Has one thread, which runs GLib's loop of it and the handlers of signals; it ends with the value.
/// - SeeAlso: GDBusConnection
package final class SessionBus: Sendable {
  private let connection: BusObject
  private let loop: BusLoop
  /// Our name on the bus, as `:1.42`.
  package let uniqueName: String

  /// Connects to the bus at an address, or to the session's.
  ///
  /// Blocks until the bus has answered.
  /// - Throws: ``BusError`` where there is none.
  package init(address: String? = nil) throws(BusError) {
    var failure: UnsafeMutablePointer<GError>?
    let place: String
    if let address {
      place = address
    } else {
      guard let text = unsafe g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, nil, &failure)
      else {
        let said = unsafe Self.take(failure).description
        throw BusError(.noBus, "there is no session bus: \(said)")
      }
      place = unsafe String(cString: text)
      unsafe g_free(text)
    }
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
    )
    let made = unsafe g_dbus_connection_new_for_address_sync(place, flags, nil, nil, &failure)
    guard let made = unsafe made else {
      let said = unsafe Self.take(failure).description
      throw BusError(.noBus, "the bus at \(place) cannot be reached: \(said)")
    }
    unsafe g_dbus_connection_set_exit_on_close(made, 0)
    uniqueName = unsafe String(cString: g_dbus_connection_get_unique_name(made))
    connection = unsafe BusObject(owning: made)
    do throws(SystemError) { loop = try BusLoop() } catch {
      throw BusError(.other, "no thread for the bus: \(error)")
    }
  }

  deinit {
    unsafe g_dbus_connection_close_sync(connection.pointer, nil, nil)
    loop.quit()
  }

  // MARK: Calling

  /// Calls a method and blocks until the answer is there.
  ///
  /// Descriptors are what `handle` values in the arguments are indexes of; they are duplicated. A
  /// timeout of nil is none.
  ///
  /// - Throws: ``BusError``
  package func call(
    _ method: BusMethod,
    _ arguments: [BusValue] = [],
    descriptors: [CInt] = [],
    timeout: Duration? = .seconds(25)
  ) throws(BusError) -> [BusValue] {
    var failure: UnsafeMutablePointer<GError>?
    let list = unsafe Self.list(of: descriptors)
    defer { if let list = unsafe list { unsafe g_object_unref(list) } }
    let reply = unsafe g_dbus_connection_call_with_unix_fd_list_sync(
      connection.pointer,
      method.destination,
      method.path,
      method.interface,
      method.name,
      Variant.tuple(arguments),
      nil,
      G_DBUS_CALL_FLAGS_NONE,
      Self.milliseconds(timeout),
      list,
      nil,
      nil,
      &failure
    )
    guard let reply = unsafe reply else { throw unsafe Self.take(failure, method) }
    defer { unsafe g_variant_unref(reply) }
    return try unsafe Self.values(reply, method)
  }

  /// Calls a method; suspends until the answer is there, on no thread of the cooperative pool.
  ///
  /// - Throws: as the other one.
  package func call(
    _ method: BusMethod,
    _ arguments: [BusValue] = [],
    descriptors: [CInt] = [],
    timeout: Duration? = .seconds(25)
  ) async throws(BusError) -> [BusValue] {
    let connection = connection
    let result: Result<[BusValue], BusError> = await withCheckedContinuation { continuation in
      loop.run {
        let box = unsafe Unmanaged.passRetained(
          PendingCall(method) { continuation.resume(returning: $0) }
        )
        let list = unsafe Self.list(of: descriptors)
        unsafe g_dbus_connection_call_with_unix_fd_list(
          connection.pointer,
          method.destination,
          method.path,
          method.interface,
          method.name,
          Variant.tuple(arguments),
          nil,
          G_DBUS_CALL_FLAGS_NONE,
          Self.milliseconds(timeout),
          list,
          nil,
          { source, result, data in
            guard let data = unsafe data, let source = unsafe source else { return }
            let pending = unsafe Unmanaged<PendingCall>.fromOpaque(data).takeRetainedValue()
            var failure: UnsafeMutablePointer<GError>?
            let reply = unsafe g_dbus_connection_call_with_unix_fd_list_finish(
              OpaquePointer(source),
              nil,
              result,
              &failure
            )
            guard let reply = unsafe reply else {
              return pending.done(.failure(unsafe SessionBus.take(failure, pending.method)))
            }
            defer { unsafe g_variant_unref(reply) }
            do throws(BusError) {
              pending.done(.success(try unsafe SessionBus.values(reply, pending.method)))
            } catch { pending.done(.failure(error)) }
          },
          box.toOpaque()
        )
        if let list = unsafe list { unsafe g_object_unref(list) }
      }
    }
    return try result.get()
  }

  // MARK: Signals

  /// Has `handler` called, on the connection's thread, for every such signal until the end of the
  /// value that is returned.
  ///
  /// When this returns the bus was told, ahead of whatever is sent next.
  /// - Parameters:
  ///   - member: The signal's name.
  ///   - interface: Its interface.
  ///   - path: The object.
  ///   - sender: Who sends it; nil: anybody.
  ///   - first: What the signal's first argument must be.
  ///   - handler: What is done.
  /// - Returns: what keeps it going.
  package func subscribe(
    to member: String,
    of interface: String,
    at path: String,
    from sender: String?,
    about first: String? = nil,
    _ handler: @escaping @Sendable ([BusValue]) -> Void
  ) async -> BusSubscription {
    let connection = connection
    let loop = loop
    return await withCheckedContinuation { continuation in
      loop.run {
        let box = unsafe Unmanaged.passRetained(SignalHandler(handler))
        let number = unsafe g_dbus_connection_signal_subscribe(
          connection.pointer,
          sender,
          interface,
          member,
          path,
          first,
          G_DBUS_SIGNAL_FLAGS_NONE,
          { _, _, _, _, _, parameters, data in
            guard let data = unsafe data, let parameters = unsafe parameters else { return }
            let handler = unsafe Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
            // A signal of a type that we do not know is none of ours.
            guard case .tuple(let values)? = unsafe Variant.read(parameters) else { return }
            handler.run(values)
          },
          box.toOpaque(),
          { data in
            guard let data = unsafe data else { return }
            unsafe Unmanaged<SignalHandler>.fromOpaque(data).release()
          }
        )
        continuation.resume(returning: BusSubscription(connection, loop, number))
      }
    }
  }

  // MARK: Pieces

  private static func milliseconds(_ timeout: Duration?) -> gint {
    guard let timeout else { return gint.max }
    let (seconds, rest) = timeout.components
    return gint(clamping: seconds * 1000 + rest / 1_000_000_000_000_000)
  }

  private static func list(of descriptors: [CInt]) -> UnsafeMutablePointer<GUnixFDList>? {
    guard !descriptors.isEmpty else { return nil }
    let list = unsafe g_unix_fd_list_new()
    for number in descriptors { _ = unsafe g_unix_fd_list_append(list, number, nil) }
    return unsafe list
  }

  fileprivate static func values(
    _ reply: OpaquePointer,
    _ method: BusMethod
  ) throws(BusError) -> [BusValue] {
    guard case .tuple(let values)? = unsafe Variant.read(reply) else {
      throw BusError(.other, "\(method) answered with a value of an unknown type")
    }
    return values
  }

  /// The error, freed.
  fileprivate static func take(
    _ failure: UnsafeMutablePointer<GError>?,
    _ method: BusMethod? = nil
  ) -> BusError {
    guard let error = unsafe failure else { return BusError(.other, "it failed without a reason") }
    defer { unsafe g_error_free(error) }
    var name: String?
    if let text = unsafe g_dbus_error_get_remote_error(error) {
      name = unsafe String(cString: text)
      unsafe g_free(text)
      unsafe g_dbus_error_strip_remote_error(error)
    }
    var kind = BusError.kind(of: name)
    if name == nil, unsafe error.pointee.domain == g_io_error_quark() {
      switch unsafe error.pointee.code {
      case gint(G_IO_ERROR_TIMED_OUT.rawValue): kind = .timedOut
      case gint(G_IO_ERROR_CANCELLED.rawValue): kind = .cancelled
      case gint(G_IO_ERROR_CLOSED.rawValue): kind = .noBus
      default: break
      }
    }
    let message = unsafe String(cString: error.pointee.message)
    let what = method.map { "\($0): " } ?? ""
    return BusError(kind, name: name, what + message)
  }
}

/// A method of an object of somebody on the bus.
package struct BusMethod: Hashable, Sendable, CustomStringConvertible {
  package let destination: String
  package let path: String
  package let interface: String
  package let name: String

  package init(_ destination: String, _ path: String, _ interface: String, _ name: String) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.name = name
  }

  package var description: String { "\(interface).\(name)" }
}

/// Signals come for as long as this lives; what is on its way when it ends is dropped.
package final class BusSubscription: Sendable {
  private let connection: BusObject
  private let loop: BusLoop
  private let number: guint

  init(_ connection: BusObject, _ loop: BusLoop, _ number: guint) {
    self.connection = connection
    self.loop = loop
    self.number = number
  }

  deinit {
    let (connection, number) = (connection, number)
    loop.run { unsafe g_dbus_connection_signal_unsubscribe(connection.pointer, number) }
  }
}

private final class PendingCall: Sendable {
  let method: BusMethod
  let done: @Sendable (Result<[BusValue], BusError>) -> Void
  init(_ method: BusMethod, _ done: @escaping @Sendable (Result<[BusValue], BusError>) -> Void) {
    self.method = method
    self.done = done
  }
}

private final class SignalHandler: Sendable {
  let run: @Sendable ([BusValue]) -> Void
  init(_ run: @escaping @Sendable ([BusValue]) -> Void) { self.run = run }
}
