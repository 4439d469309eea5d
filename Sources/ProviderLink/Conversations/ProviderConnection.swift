package import LinuxSystem

/// A conversation with the process of a provider, which is started if it does not run.
///
/// While it is open, what was provided over it counts as used. Used by one thread at a time; the end of
/// this process ends it.
package final class ProviderConnection: Sendable {
  /// How a thread waits for a socket: until it may be readable, or in vain.
  ///
  /// It throws when whoever waits shall wait no longer.
  package typealias Wait = @Sendable (CInt) throws(ProviderFailure) -> Void

  /// How long a process may take until it listens.
  private static let startLimit = Duration.seconds(20)

  private let socket: SharedDescriptor
  private let number = Mutex<UInt32>(0)

  private init(_ socket: SharedDescriptor) { self.socket = socket }

  /// Waits without anybody who could end it.
  package static let patiently: Wait = { (socket: CInt) throws(ProviderFailure) in
    _ = UnixSocket.waitReadable(socket, until: .now + .seconds(1))
  }

  /// Connects to the provider's process, starting it where needed.
  ///
  /// Blocks for as long as that takes.
  package static func open(
    to declaration: ProviderDeclaration,
    wait: Wait = patiently
  ) throws(ProviderFailure) -> ProviderConnection {
    let place = try ProviderPlace(declaration.identifier)
    let deadline = MonotonicInstant.now + startLimit
    // Somebody else's process may be about to end; one that we started is not.
    for _ in 0..<4 {
      let (socket, isOurs) = try ProviderStarter(declaration, place).connect(until: deadline, wait)
      let connection = ProviderConnection(socket)
      do throws(ProviderFailure) {
        guard case .hello = try connection.receive(0, until: deadline, wait) else {
          throw .garbled
        }
        return connection
      } catch {
        guard case .died = error, !isOurs else { throw error }
      }
    }
    throw .died
  }

  /// Connects if the process runs; nil if it does not.
  package static func openIfRunning(
    _ declaration: ProviderDeclaration,
    wait: Wait = patiently
  ) throws(ProviderFailure) -> ProviderConnection? {
    let place = try ProviderPlace(declaration.identifier)
    guard let socket = try ProviderStarter(declaration, place).connectOnly() else { return nil }
    let connection = ProviderConnection(socket)
    do throws(ProviderFailure) {
      _ = try connection.receive(0, until: .now + startLimit, wait)
      return connection
    } catch {
      if case .died = error { return nil }
      throw error
    }
  }

  /// Says something and waits for the answer.
  @discardableResult
  package func ask(
    _ message: ProviderMessage,
    until deadline: MonotonicInstant? = nil,
    wait: Wait = patiently
  ) throws(ProviderFailure) -> ProviderMessage {
    let number = number.withLock { number in
      number += 1
      return number
    }
    do throws(SystemError) {
      try UnixSocket.send(message.packet(number: number), to: socket.number)
    } catch {
      if [.pipe, .connectionReset, .notConnected].contains(error.code) { throw .died }
      throw .unreachable(error)
    }
    let answer = try receive(number, until: deadline, wait)
    if case .failed(let fault) = answer { throw .refused(fault) }
    return answer
  }

  private func receive(
    _ number: UInt32,
    until deadline: MonotonicInstant?,
    _ wait: Wait
  ) throws(ProviderFailure) -> ProviderMessage {
    while true {
      do throws(SystemError) {
        switch try UnixSocket.receive(from: socket.number) {
        case .packet(let bytes, let descriptors):
          for descriptor in descriptors { _ = Descriptor(owning: descriptor) }
          guard let (answered, message) = ProviderMessage.read(bytes) else {
            throw SystemError("recvmsg", .badMessage)
          }
          // Answers to questions that were given up are passed over.
          if answered == number { return message }
          continue
        case .closed: throw SystemError("recvmsg", .pipe)
        case .nothing: break
        }
      } catch {
        switch error.code {
        case .pipe, .connectionReset: throw .died
        case .badMessage, .messageTooLong: throw .garbled
        default: throw .unreachable(error)
        }
      }
      if let deadline, MonotonicInstant.now >= deadline { throw .silent }
      try wait(socket.number)
    }
  }
}
