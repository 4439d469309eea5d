import Dispatch
import Foundation
import LinuxSystem

/// A confined program's line to its broker.
///
/// A thread reads the answers; who asks waits for the one with the number of the question. When the
/// broker is gone every question fails, at once.
final class BrokerConnection: Sendable {
  /// The one that the process was started with; nil in an ordinary process.
  static let shared: BrokerConnection? = {
    guard let text = Environment.value(of: BrokerMessage.variable)?.string,
      let number = Int32(text), number > 2
    else { return nil }
    DescriptorNumber.closeOnExec(number)
    let connection = BrokerConnection(SharedDescriptor(Descriptor(owning: number)))
    do throws(SystemError) { try connection.start() } catch {
      Diagnostics.report("the broker cannot be asked for files: \(error)")
      return nil
    }
    return connection
  }()

  typealias Answer = (outcome: BrokerMessage.Reply.Outcome, descriptor: SharedDescriptor?)
  private struct State {
    var next: UInt64 = 0
    var waiting: [UInt64: @Sendable (Result<Answer, ScopeError>) -> Void] = [:]
    var isClosed = false
  }
  private let socket: SharedDescriptor
  private let state = Mutex(State())

  init(_ socket: SharedDescriptor) { self.socket = socket }

  func start() throws(SystemError) {
    try BlockingThread.start("fc-broker") { [self] in
      while UnixSocket.waitReadable(socket.number, until: nil), read() {}
      let left = state.withLock { state in
        state.isClosed = true
        defer { state.waiting = [:] }
        return Array(state.waiting.values)
      }
      for body in left { body(.failure(.brokerGone)) }
    }
  }

  /// False at the end.
  private func read() -> Bool {
    do {
      switch try UnixSocket.receive(from: socket.number) {
      case .packet(let bytes, let descriptors):
        let owned = descriptors.map { SharedDescriptor(Descriptor(owning: $0)) }
        let reply = try BrokerMessage.decode(BrokerMessage.Reply.self, from: bytes)
        let body = state.withLock { $0.waiting.removeValue(forKey: reply.number) }
        body?(.success((reply.outcome, owned.first)))
        return true
      case .nothing: return true
      case .closed: return false
      }
    } catch {
      Diagnostics.report("the broker said something that makes no sense: \(error)")
      return false
    }
  }

  private func send(
    _ wish: BrokerMessage.Request.Wish,
    _ body: @escaping @Sendable (Result<Answer, ScopeError>) -> Void
  ) {
    let number = state.withLock { state -> UInt64? in
      if state.isClosed { return nil }
      state.next += 1
      state.waiting[state.next] = body
      return state.next
    }
    guard let number else { return body(.failure(.brokerGone)) }
    do {
      let packet = try BrokerMessage.encode(BrokerMessage.Request(number: number, wish: wish))
      try UnixSocket.send(packet, to: socket.number)
    } catch {
      let own = state.withLock { $0.waiting.removeValue(forKey: number) }
      own?(.failure(.brokerFailed("the question could not be sent: \(error)")))
    }
  }

  /// Asks; blocks the calling thread until the answer is there.
  func ask(_ wish: BrokerMessage.Request.Wish) throws(ScopeError) -> Answer {
    let box = Mutex<Result<Answer, ScopeError>?>(nil)
    let answer = AnswerBox(box)
    send(wish) { answer.give($0) }
    return try answer.wait().get()
  }

  /// Asks; suspends until the answer is there.
  func ask(_ wish: BrokerMessage.Request.Wish) async throws(ScopeError) -> Answer {
    let result = await withCheckedContinuation { continuation in
      send(wish) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// A descriptor of a file that this program was given.
  func open(_ path: FilePath, forWriting: Bool) throws(ScopeError) -> SharedDescriptor {
    let answer = try ask(.open(path: BrokerMessage.data(path), forWriting: forWriting))
    if case .opened = answer.outcome, let descriptor = answer.descriptor { return descriptor }
    throw ScopeError(answer.outcome, path)
  }

  /// Where a document is found that this program was given before.
  func regain(_ host: FilePath) throws(ScopeError) -> FilePath {
    let answer = try ask(.regain(path: BrokerMessage.data(host)))
    if case .documents(let paths) = answer.outcome, let path = paths.first {
      return BrokerMessage.path(path)
    }
    throw ScopeError(answer.outcome, host)
  }
}

/// An answer that one thread waits for.
private final class AnswerBox: Sendable {
  typealias Value = Result<BrokerConnection.Answer, ScopeError>
  private let value: Mutex<Value?>
  private let semaphore = DispatchSemaphore(value: 0)
  init(_ value: consuming Mutex<Value?>) { self.value = value }

  func give(_ answer: Value) {
    value.withLock { $0 = answer }
    semaphore.signal()
  }
  func wait() -> Value {
    semaphore.wait()
    return value.withLock { $0 } ?? .failure(.brokerGone)
  }
}
