import CoordinationRuntime
package import LinuxSystem

/// The loop of a provider's process: takes what its users ask, until nobody asks any more.
///
/// One thread owns all of it; completions come from others through the inbox. A user's end, in
/// whatever way, ends its connection, and with it the use of what it had provided.
package final class ProviderServer {
  typealias User = UInt64
  enum Word: Sendable {
    case provided(FilePath, ProviderFault?)
    case placed(FilePath, ProviderFault?)
    case stopped(FilePath, Bool)
    case noted(FilePath)
    case answered(User, UInt32, Result<[UInt8], ProviderFault>)
  }
  struct Connection: Sendable {
    let socket: SharedDescriptor
    var uses: Set<FilePath> = []
    /// It has the picker open.
    var hasPicker = false
  }
  struct Question: Sendable {
    let user: User
    let number: UInt32
  }

  let declaration: ProviderDeclaration
  let root: FilePath?
  let host: any ProviderHost
  private let listener: SharedDescriptor
  private let place: ProviderPlace
  private let poll: EventPoll
  private let inbox = Inbox()
  var connections: [User: Connection] = [:]
  private var users: [CInt: User] = [:]
  private var lastUser: User = 0
  var work = ProviderWork()
  /// Questions about changes and for the picker that the host has not completed.
  private var pending = 0

  private final class Inbox: Sendable {
    let words = Mutex<[Word]>([])
  }

  /// A server for the socket that whoever started this process left open.
  ///
  /// - Throws: what is missing where a user started the program by hand.
  package init(
    _ declaration: ProviderDeclaration,
    listener: consuming Descriptor,
    host: any ProviderHost
  ) throws {
    self.declaration = declaration
    self.host = host
    self.listener = SharedDescriptor(listener)
    place = try ProviderPlace(declaration.identifier)
    poll = try EventPoll()
    root = try declaration.storage.map { storage throws(SystemError) in
      try FileSystem.makeDirectories(storage)
      return try ItemResolver.shared.canonical(storage, followingLink: true)
    }
    try poll.add(self.listener.number)
    if root != nil { ProviderBoard.noteFolder() }
  }

  /// Serves until nobody has asked for a while; blocks the calling thread.
  package func run() {
    var idleSince = MonotonicInstant.now
    while true {
      let now = MonotonicInstant.now
      for item in work.dueToStop(at: now) { stop(item) }
      if connections.isEmpty, pending == 0, work.isEmpty {
        if now >= idleSince + declaration.exitAfter {
          if leave() { return }
          // Somebody is about to come; if not, another look soon.
          idleSince = now
        }
      } else {
        idleSince = now
      }
      let pause = max(declaration.exitAfter, .milliseconds(20))
      let next = connections.isEmpty && work.isEmpty ? idleSince + pause : nil
      let ready = poll.wait(until: [next, work.nextStop].compactMap { $0 }.min())
      for number in ready {
        if number == listener.number { accept() } else { read(number) }
      }
      for word in inbox.words.withLock({ words in
        defer { words = [] }
        return words
      }) {
        take(word)
      }
    }
  }

  /// Ends if nobody came in the last moment: who comes later starts another process.
  private func leave() -> Bool {
    do throws(SystemError) {
      let lock = try place.startLock()
      // Not to be had: somebody is about to connect.
      guard try lock.tryLock(.exclusive) else { return false }
      accept()
      guard connections.isEmpty else { return false }
      // Who connected in between is hung up on before a greeting, and begins anew.
      place.removeSocket()
      // Kept until the process is gone, so that no two serve one folder.
      _ = lock.release()
      return true
    } catch {
      // Where the directory is gone nobody can come any more; else another look later.
      return error.code == .noEntry
    }
  }

  // MARK: connections

  private func accept() {
    do throws(SystemError) {
      while let number = try UnixSocket.accept(listener.number) {
        var socket = Descriptor(owning: number)
        socket.closeInForkedChild()
        guard try UnixSocket.credentials(of: number).uid == Environment.user else { continue }
        let shared = SharedDescriptor(socket)
        try poll.add(number)
        lastUser += 1
        connections[lastUser] = Connection(socket: shared)
        users[number] = lastUser
        send(.hello, to: lastUser, 0)
      }
    } catch {
      // Out of descriptors: who waits in the backlog is accepted when there are some.
      CoordinationTrace.record(.diagnostic, "a user of the provider waits: \(error)")
      ShortPause.run(until: nil)
    }
  }

  private func read(_ number: CInt) {
    guard let user = users[number] else { return }
    do throws(SystemError) {
      while true {
        switch try UnixSocket.receive(from: number) {
        case .packet(let bytes, let descriptors):
          for descriptor in descriptors { _ = Descriptor(owning: descriptor) }
          guard let (question, message) = ProviderMessage.read(bytes) else { return end(user) }
          take(message, Question(user: user, number: question))
          if connections[user] == nil { return }
        case .closed: return end(user)
        case .nothing: return
        }
      }
    } catch { end(user) }
  }

  func end(_ user: User) {
    guard let connection = connections.removeValue(forKey: user) else { return }
    poll.remove(connection.socket.number)
    users[connection.socket.number] = nil
    for item in connection.uses { work.endUse(of: item, stopAfter: declaration.stopAfter) }
    if connection.hasPicker { host.pickerEnded(user) }
  }

  func send(_ message: ProviderMessage, to user: User, _ number: UInt32) {
    guard let connection = connections[user] else { return }
    do throws(SystemError) {
      try UnixSocket.send(message.packet(number: number), to: connection.socket.number)
    } catch {
      // It reads nothing, or is gone.
      end(user)
    }
  }

  func answer(_ question: Question, _ fault: ProviderFault?) {
    send(fault.map { .failed($0) } ?? .done, to: question.user, question.number)
  }

  // MARK: from other threads

  /// How a completion of the host's gets here.
  private func reply(_ word: @escaping @Sendable (ProviderFault?) -> Word)
    -> ProviderHost.Completion
  {
    { [inbox, poll] fault in
      inbox.words.withLock { $0.append(word(fault)) }
      poll.wake()
    }
  }

  private func take(_ message: ProviderMessage, _ question: Question) {
    switch message {
    case .provide(let item): provide(item, question)
    case .placeholder(let item): place(item, question)
    case .settle(let item):
      if work.isDelivering(item) { work.settle(item, question) } else { answer(question, nil) }
    case .changed(let item):
      guard mayTouch(item) else { return answer(question, Self.outside(item)) }
      // Taken in, whatever comes: this process will tell the provider.
      answer(question, nil)
      pending += 1
      work.beginChange(of: item)
      host.changed(item, reply { _ in .noted(item) })
    case .picker(let request):
      connections[question.user]?.hasPicker = true
      pending += 1
      let (user, number) = (question.user, question.number)
      host.picker(request, in: user) { [inbox, poll] result in
        inbox.words.withLock { $0.append(.answered(user, number, result)) }
        poll.wake()
      }
    case .hello, .done, .failed, .answer:
      end(question.user)
    }
  }

  private func take(_ word: Word) {
    switch word {
    case .provided(let item, let fault): delivered(item, fault)
    case .placed(let item, let fault): placed(item, fault)
    case .stopped(let item, let didStop): work.stopped(item, didStop, declaration.stopAfter)
    case .noted(let item):
      pending -= 1
      work.endChange(of: item)
    case .answered(let user, let number, let result):
      pending -= 1
      switch result {
      case .success(let bytes): send(.answer(bytes), to: user, number)
      case .failure(let fault): send(.failed(fault), to: user, number)
      }
    }
  }

  // MARK: what the host is asked

  func startProviding(_ item: FilePath) { host.provide(item, reply { .provided(item, $0) }) }
  func startPlacing(_ item: FilePath) { host.makePlaceholder(item, reply { .placed(item, $0) }) }

  private func stop(_ item: FilePath) {
    host.stop(item) { [inbox, poll] didStop in
      inbox.words.withLock { $0.append(.stopped(item, didStop)) }
      poll.wake()
    }
  }

  /// Whether it is an item of this provider's.
  func mayTouch(_ item: FilePath) -> Bool {
    root.map { item.isInside($0) } ?? false && !Placeholder.isOne(item)
  }

  static func outside(_ item: FilePath) -> ProviderFault {
    ProviderFault(
      domain: "NSCocoaErrorDomain",
      code: 256,
      texts: ["NSLocalizedDescription": "\(item) is not in the provider's folder"]
    )
  }
}
