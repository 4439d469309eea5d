import CoordinationRuntime
import LinuxSystem
import struct Synchronization.Atomic

/// The one thread of a process that takes what other processes say: accepts, reads, acknowledges,
/// hands messages to the host, and notices askers that are gone.
///
/// Runs nothing of a client's, so that it always answers at once unless the process is stopped.
final class LinkThread: Sendable {
  /// What it listens on: the socket, and the word in which others say that it was full.
  struct Post: Sendable {
    let listener: SharedDescriptor
    let overflow: MappedFile
    let runtime: RuntimeDirectory
  }

  private struct State {
    var post: Post?
    var host: (any PresenterHost)?
    /// Whether somebody says at once that the runtime directory was replaced.
    var isGuarded = false
    var isReviewDue = false
    var isStopped = false
  }
  private let poll: EventPoll
  private let state: Mutex<State>
  /// Whether the thread holds something that it took and has not handed on yet.
  private let isBusy = Atomic<Bool>(false)
  private let fences = Mutex<[@Sendable () -> Void]>([])

  /// How long an unanswered `ask` waits for its acknowledgement at most: most are answered before,
  /// and are spared a packet that would wake the asker for nothing.
  static let acknowledgementDelay = Duration.milliseconds(50)
  /// How often the thread looks whether the runtime directory was replaced.
  static let reviewInterval = Duration.seconds(10)
  /// The same where that is told at once, but for what nobody tells: that a directory above it was
  /// moved, or something mounted over it.
  static let guardedReviewInterval = Duration.seconds(300)
  /// How long after it was told the thread looks.
  static let reviewDelay = Duration.milliseconds(100)

  /// Starts the thread.
  ///
  /// `review` is called on it every ten seconds, or as ``setGuarded(_:)`` and ``reviewSoon()`` say.
  init(
    _ post: Post,
    host: (any PresenterHost)?,
    review: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    poll = try EventPoll()
    state = Mutex(State(post: post, host: host))
    try poll.add(post.listener.number)
    try BlockingThread.start("coord-link") { [self] in run(review) }
  }

  var host: (any PresenterHost)? { state.withLock { $0.host } }
  func setHost(_ host: (any PresenterHost)?) { state.withLock { $0.host = host } }

  /// Listens there from now on; connections that exist live on.
  func move(to post: Post) throws(SystemError) {
    try poll.add(post.listener.number)
    let old = state.withLock { state in
      defer { state.post = post }
      return state.post
    }
    if let old { poll.remove(old.listener.number) }
    poll.wake()
  }

  /// Whether everything that others had sent before was handed to the host.
  var isAtRest: Bool {
    // In this order: what is read is either still to be taken, or was taken by a busy thread.
    !poll.hasSomething && !isBusy.load(ordering: .sequentiallyConsistent)
  }

  /// Calls `done` when everything that others had sent before this call was handed to the host.
  ///
  /// At once, on the calling thread, where that is so already; else on the link thread.
  func fence(_ done: @escaping @Sendable () -> Void) {
    if isAtRest { return done() }
    fences.withLock { $0.append(done) }
    poll.wake()
  }

  /// Whether ``reviewSoon()`` is called when the runtime directory is replaced.
  func setGuarded(_ isGuarded: Bool) {
    let isNew = state.withLock { state in
      defer { state.isGuarded = isGuarded }
      return state.isGuarded != isGuarded
    }
    // To what was set last, in case it waits for longer.
    if isNew { poll.wake() }
  }

  /// Has the thread review as soon as whoever takes the directory away should be done: made anew
  /// meanwhile, it would be taken away again, or be in the way of `rm -r`.
  func reviewSoon() {
    state.withLock { $0.isReviewDue = true }
    poll.wake()
  }

  /// Ends the thread and closes its connections; returns at once.
  func stop() {
    state.withLock { $0.isStopped = true }
    poll.wake()
  }

  // MARK: The thread

  /// What the thread knows; nobody else touches it.
  private struct Work {
    var connections: [CInt: IncomingConnection] = [:]
    /// Those whose `ask` was not answered at once, and when they are acknowledged, all together.
    var unacknowledged: [IncomingConversation] = []
    var acknowledgement: MonotonicInstant?
    var lastReview = MonotonicInstant.now
    var nextReview = MonotonicInstant.now + reviewInterval
    var askedReview: MonotonicInstant?
    /// The listener is not looked at before this: no descriptor was left.
    var acceptsAgain: MonotonicInstant?

    mutating func owe(_ conversation: IncomingConversation) {
      unacknowledged.append(conversation)
      if acknowledgement == nil { acknowledgement = .now + acknowledgementDelay }
    }

    var reviewDeadline: MonotonicInstant { min(nextReview, askedReview ?? nextReview) }

    var deadline: MonotonicInstant {
      let review = reviewDeadline
      let first = min(review, acknowledgement ?? review)
      return min(first, acceptsAgain ?? first)
    }
  }

  private func run(_ review: @Sendable () -> Void) {
    var work = Work()
    while true {
      passFences()
      let ready = poll.wait(until: work.deadline)
      isBusy.store(true, ordering: .sequentiallyConsistent)
      defer { isBusy.store(false, ordering: .sequentiallyConsistent) }
      let (post, isGuarded, isReviewDue, isStopped) = state.withLock { state in
        defer { state.isReviewDue = false }
        return (state.post, state.isGuarded, state.isReviewDue, state.isStopped)
      }
      if isStopped { break }
      let interval = isGuarded ? Self.guardedReviewInterval : Self.reviewInterval
      work.nextReview = work.lastReview + interval
      for number in ready {
        if number == post?.listener.number {
          if let post { accept(post, &work) }
        } else {
          read(number, &work)
        }
      }
      acknowledge(&work)
      if let post { lookForOverflow(post) }
      let now = MonotonicInstant.now
      if let again = work.acceptsAgain, now >= again { resumeAccepting(post, &work) }
      if isReviewDue { work.askedReview = work.askedReview ?? now + Self.reviewDelay }
      if now >= work.reviewDeadline {
        work.askedReview = nil
        work.lastReview = now
        work.nextReview = now + interval
        review()
      }
    }
    for number in work.connections.keys { close(number, &work) }
    for done in takeFences() { done() }
  }

  /// Nothing is readable any more: whoever waited for that goes on.
  private func passFences() {
    guard fences.withLock({ !$0.isEmpty }), !poll.hasSomething else { return }
    for done in takeFences() { done() }
  }

  private func takeFences() -> [@Sendable () -> Void] {
    fences.withLock { fences in
      defer { fences = [] }
      return fences
    }
  }

  private func accept(_ post: Post, _ work: inout Work) {
    for _ in 0..<64 {
      do throws(SystemError) {
        guard let number = try UnixSocket.accept(post.listener.number) else { return }
        var descriptor = Descriptor(owning: number)
        descriptor.closeInForkedChild()
        // A stranger is hung up on.
        let uid = try UnixSocket.credentials(of: number).uid
        guard post.runtime.isAccepted(owner: uid) else { continue }
        try poll.add(number)
        let socket = PacketSocket(SharedDescriptor(descriptor))
        work.connections[number] = IncomingConnection(socket: socket, uid: uid)
      } catch {
        // No descriptor is left: who waits in the backlog goes on waiting, and we come back.
        poll.remove(post.listener.number)
        work.acceptsAgain = MonotonicInstant.now + .milliseconds(50)
        return
      }
    }
  }

  private func resumeAccepting(_ post: Post?, _ work: inout Work) {
    work.acceptsAgain = nil
    guard let post else { return }
    do throws(SystemError) { try poll.add(post.listener.number) } catch {
      // Where another post was taken meanwhile, it is in the set already.
      if error.code != .alreadyExists {
        work.acceptsAgain = MonotonicInstant.now + .milliseconds(50)
      }
    }
  }

  /// Takes one packet: most come alone, and a talkative peer does not keep others from being heard.
  private func read(_ number: CInt, _ work: inout Work) {
    guard let connection = work.connections[number] else { return }
    do throws(SystemError) {
      switch try connection.socket.receive() {
      case .nothing: break
      case .closed: close(number, &work)
      case .packet(let packet, let descriptors): take(packet, descriptors, number, &work)
      case .fault(.version): refuse(.init(.version), number, &work)
      case .fault(.malformed): refuse(.init(.malformed), number, &work)
      }
    } catch {
      // Out of memory or descriptors for this packet: the asker must not wait for its answer.
      close(number, &work)
    }
  }

  private func take(
    _ packet: LinkPacket,
    _ descriptors: [SharedDescriptor],
    _ number: CInt,
    _ work: inout Work
  ) {
    guard let step = work.connections[number]?.take(packet) else { return }
    let host = self.host
    switch step {
    case .none: break
    case .refuse(let refusal): refuse(refusal, number, &work)
    case .superseded(let old, let conversation, let message):
      host?.lost(old)
      deliver(message, descriptors, conversation, host, &work)
    case .message(let conversation, let message):
      deliver(message, descriptors, conversation, host, &work)
    }
  }

  private func deliver(
    _ message: LinkMessage,
    _ descriptors: [SharedDescriptor],
    _ conversation: IncomingConversation,
    _ host: (any PresenterHost)?,
    _ work: inout Work
  ) {
    CoordinationTrace.record(
      .message,
      claim: message.claim,
      "\(message.name) came from \(conversation.peer)"
    )
    defer {
      if conversation.owesAnswer { work.owe(conversation) }
    }
    if let host { return host.received(message, descriptors: descriptors, in: conversation) }
    // Nobody presents anything here (any more): nobody is kept waiting for it.
    switch message {
    case .ask: conversation.reply(.answered(nil))
    case .finished: conversation.reply(.noted)
    case .partner: conversation.reply(.refused(.init(.unattended)))
    default: break
    }
  }

  private func refuse(_ refusal: LinkMessage.Refusal, _ number: CInt, _ work: inout Work) {
    if let socket = work.connections[number]?.socket {
      // Said for the sake of people who look for the fault; the connection ends either way.
      let conversation = work.connections[number]?.conversation?.number ?? 0
      try? socket.send(LinkPacket(conversation: conversation, message: .refused(refusal)))
    }
    close(number, &work)
  }

  private func close(_ number: CInt, _ work: inout Work) {
    guard let connection = work.connections.removeValue(forKey: number) else { return }
    poll.remove(number)
    connection.socket.shutDown()
    if let conversation = connection.conversation, conversation.lose() {
      host?.lost(conversation)
    }
  }

  private func acknowledge(_ work: inout Work) {
    guard let due = work.acknowledgement, MonotonicInstant.now >= due else { return }
    for conversation in work.unacknowledged { conversation.acknowledge() }
    work.unacknowledged = []
    work.acknowledgement = nil
  }

  private func lookForOverflow(_ post: Post) {
    guard post.overflow.load32(0) != 0 else { return }
    // Cleared before the host looks: what is missed after that is said again.
    post.overflow.store32(0, at: 0)
    host?.overflowed()
  }
}
