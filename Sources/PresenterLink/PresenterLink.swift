package import CoordinationRuntime
package import LinuxSystem
import struct Synchronization.Atomic

/// Finds the processes that present an item, and exchanges messages with them.
///
/// One per process, runtime directory and fork. Knows nothing of locks.
/// Lock order: `registration` before `attachment`; the host is called with neither held.
package final class PresenterLink: Sendable {
  /// What this process presents, and by what the others see it.
  fileprivate struct Registration {
    var nextNumber: UInt64 = 1
    var presented: [UInt64: FilePath] = [:]
    var list: PresenceListWriter?
    var thread: LinkThread?
    var host: (any PresenterHost)?
    /// The runtime directory that the host guards for us, and what ends that.
    var guarded: RuntimeDirectory?
    var dismissal: (@Sendable () -> Void)?
  }
  private let ourselves = ProcessIdentity.current
  private let generation = ForkGeneration.current
  private let attachment: Mutex<Attachment>
  private let registration = Mutex(Registration())
  /// When the place of the runtime directory was last looked at.
  private let lastLook = Atomic<UInt64>(0)

  /// The link of this process to the directory that it must use; anew after a fork.
  ///
  /// - Throws: why the directory cannot be used.
  package static func shared() throws(RuntimeDirectoryError) -> PresenterLink {
    try SharedLink.current()
  }

  /// A link to one directory.
  ///
  /// One at a time per process and directory: each has the process's folder to itself.
  package init(runtime: RuntimeDirectory) throws(RuntimeDirectoryError) {
    attachment = Mutex(try Attachment(runtime, ourselves: ourselves))
  }

  deinit {
    // In a forked child all of it is the parent's.
    guard ForkGeneration.current == generation else { return }
    withdrawAll()
    let (thread, dismissal) = registration.withLock { ($0.thread, $0.dismissal) }
    dismissal?()
    thread?.stop()
  }

  private var current: Attachment { attachment.withLock { $0 } }

  /// Who takes the messages of others; set before the first ``present(_:)``.
  package var host: (any PresenterHost)? {
    get { registration.withLock { $0.host } }
    set {
      registration.withLock { registration in
        registration.host = newValue
        registration.thread?.setHost(newValue)
      }
    }
  }

  // MARK: Presenting

  /// Makes known that this process presents a canonical path.
  ///
  /// Every claim of any process that begins after this returned finds it. The first time, makes the
  /// socket and the thread. Blocks no longer than writing to a small file takes.
  /// - Throws: why others could not be told; then nothing is presented.
  package func present(_ path: FilePath) throws(RuntimeDirectoryError) -> PresenceID {
    try reattachIfReplaced()
    defer { guardDirectory() }
    return try registration.withLock { registration throws(RuntimeDirectoryError) in
      let attachment = current
      try appear(&registration, attachment)
      try attachment.index.recountIfImpossible()
      let number = registration.nextNumber
      registration.nextNumber += 1
      var isListed = false
      do throws(RuntimeDirectoryError) {
        try attachment.page.add(path) { () throws(RuntimeDirectoryError) in
          try registration.append([.add(number: number, path: path)], attachment)
          isListed = true
        }
      } catch {
        // What cannot be counted must not be listed. If that fails as well, we are asked in vain.
        if isListed { try? registration.append([.remove(number: number)], attachment) }
        throw error
      }
      registration.presented[number] = path
      return PresenceID(number: number)
    }
  }

  /// What was presented moved: it is found at the new path when this returns.
  ///
  /// - Throws: why others could not be told; then it is found at the old one as before.
  package func move(_ id: PresenceID, to path: FilePath) throws(RuntimeDirectoryError) {
    try registration.withLock { registration throws(RuntimeDirectoryError) in
      guard let old = registration.presented[id.number], old != path else { return }
      let attachment = current
      try attachment.index.recountIfImpossible()
      var isListed = false
      do throws(RuntimeDirectoryError) {
        try attachment.page.move(old, to: path) { () throws(RuntimeDirectoryError) in
          try registration.append([.add(number: id.number, path: path)], attachment)
          isListed = true
        }
      } catch {
        // As above.
        if isListed {
          try? registration.append([.add(number: id.number, path: old)], attachment)
        }
        throw error
      }
      registration.presented[id.number] = path
      registration.forget(old)
    }
  }

  /// Ends a presentation.
  ///
  /// Messages that are under way may still come.
  package func withdraw(_ id: PresenceID) {
    registration.withLock { registration in
      guard let path = registration.presented.removeValue(forKey: id.number) else { return }
      let attachment = current
      do throws(RuntimeDirectoryError) {
        try attachment.page.remove(path) { () throws(RuntimeDirectoryError) in
          try registration.append([.remove(number: id.number)], attachment)
        }
        registration.forget(path)
      } catch {
        // No room for the word that it ended: we are asked in vain until the list is rewritten.
        registration.forget(path)
      }
    }
  }

  private func withdrawAll() {
    for number in registration.withLock({ Array($0.presented.keys) }) {
      withdraw(PresenceID(number: number))
    }
  }

  /// Makes this process reachable though it presents nothing: others may ask for partners.
  package func listen() throws(RuntimeDirectoryError) {
    try reattachIfReplaced()
    try registration.withLock { registration throws(RuntimeDirectoryError) in
      try appear(&registration, current)
    }
  }

  /// Makes the socket, the thread and the list, unless they are there.
  private func appear(_ registration: inout Registration, _ attachment: Attachment)
    throws(RuntimeDirectoryError)
  {
    guard registration.list == nil else { return }
    let folder = try PeerFolder.ours(in: attachment.runtime)
    do throws(SystemError) {
      let post = try attachment.makePost(in: folder)
      if let thread = registration.thread {
        try thread.move(to: post)
      } else {
        registration.thread = try LinkThread(post, host: registration.host) { [weak self] in
          self?.review()
        }
      }
      // Last: who reads the list can connect.
      registration.list = try PresenceListWriter(
        in: folder,
        mode: attachment.runtime.fileMode,
        registration.presented
      )
    } catch { throw RuntimeDirectoryError(attachment.runtime.path, error) }
  }

  // MARK: Looking

  /// Changes whenever an answer of ``mayBePresented(_:)`` may change; no system call.
  package var presenceStamp: UInt64 { current.page.stamp }

  /// Whether any process, ours included, may present what is looked for.
  ///
  /// False is certain.
  /// No system call, whoever presents whatever else; the query is not even made where nobody presents
  /// anything.
  package func mayBePresented(_ query: @autoclosure () -> PresenceQuery) -> Bool {
    current.page.mayBePresented(query())
  }

  /// The other processes that present what is looked for.
  ///
  /// Reads only what changed since the last time. One that died since may be among them:
  /// ``converse(with:)`` then throws ESRCH.
  /// - Throws: when it cannot be told who presents what.
  package func peers(presenting query: PresenceQuery) throws(RuntimeDirectoryError)
    -> [PeerPresence]
  {
    try reattachIfReplaced(unlessLookedSince: .milliseconds(100))
    let index = current.index
    let found = try index.peers(presenting: query)
    if found.isEmpty, registration.withLock({ $0.presented.isEmpty }), mayBePresented(query) {
      try index.recountIfImpossible()
      index.noteFalseAlarm()
    }
    return found
  }

  /// Everything that is presented by living processes, ours too.
  ///
  /// Cleans up behind dead ones.
  package func everything() throws(RuntimeDirectoryError) -> [PeerPresence] {
    try reattachIfReplaced()
    let others = try current.index.everything()
    let ours = registration.withLock { Set($0.presented.values) }
    return ours.isEmpty ? others : others + [PeerPresence(process: ourselves, paths: ours.sorted())]
  }

  /// Counts anew what the living present.
  ///
  /// Needed by nobody: done by itself when processes died.
  @discardableResult
  package func recount() throws(RuntimeDirectoryError) -> Bool {
    try current.index.recount(evenIfRecent: true)
  }

  // MARK: Talking

  /// Begins a conversation with a process, for one claim.
  ///
  /// - Throws: ESRCH when the process is gone, ECONNREFUSED when it lives and does not listen, EAGAIN
  ///   when its queue is full (it may be stopped), EPERM when a stranger listens there, EMFILE.
  package func converse(with process: ProcessIdentity) throws(SystemError) -> Conversation {
    let connector = current.connector
    do throws(SystemError) { return try Conversation(process, connector) } catch
      where error.code == .tooManyOpenFiles
    {
      connector.dropIdle()
      return try Conversation(process, connector)
    }
  }

  /// Asks another process's claim table, and blocks the calling thread until it replies.
  ///
  /// - Returns: nil when it is gone, does not understand, or did not reply until `deadline`.
  package func request(
    _ bytes: [UInt8],
    descriptors: [CInt] = [],
    to process: ProcessIdentity,
    until deadline: MonotonicInstant
  ) -> (bytes: [UInt8], descriptors: [SharedDescriptor])? {
    // Whatever fails, the caller goes on without a partner.
    guard let conversation = try? converse(with: process),
      (try? conversation.send(.partner(bytes), descriptors: descriptors)) != nil
    else { return nil }
    while true {
      switch try? conversation.receive(until: deadline) {
      case .message(.partnerReply(let reply), let descriptors):
        conversation.finish()
        return (reply, descriptors)
      case .message(.received, _), .nothing: continue
      case .message, .closed, nil: return nil
      }
    }
  }

  /// Whether everything that other processes had sent before was handed to the host.
  ///
  /// Never blocks.
  package var isAtRest: Bool { registration.withLock { $0.thread }?.isAtRest ?? true }

  /// Calls `done` when everything that other processes had sent before was handed to the host.
  ///
  /// On the calling thread at once, or on the link thread: it must not block.
  package func fence(_ done: @escaping @Sendable () -> Void) {
    guard let thread = registration.withLock({ $0.thread }) else { return done() }
    thread.fence(done)
  }

  // MARK: Replacement

  /// Opens everything anew if somebody put another runtime directory in the place of ours.
  ///
  /// Done by itself when presenting, when looking for peers, and by the link thread: at once where the
  /// host hears of it, else every ten seconds.
  package func reattachIfReplaced(
    unlessLookedSince interval: Duration = .zero
  ) throws(RuntimeDirectoryError) {
    let now = MonotonicInstant.now
    let last = MonotonicInstant(nanoseconds: lastLook.load(ordering: .relaxed))
    guard now >= last + interval else { return }
    lastLook.store(now.nanoseconds, ordering: .relaxed)
    guard current.runtime.wasReplaced || !current.page.isInPlace else { return }
    try registration.withLock { registration throws(RuntimeDirectoryError) in
      let old = current
      guard old.runtime.wasReplaced || !old.page.isInPlace else { return }
      let fresh = try Attachment(try old.runtime.successor(), ourselves: ourselves)
      if registration.list != nil || !registration.presented.isEmpty {
        registration.list = nil
        try appear(&registration, fresh)
        // The new list says all of them already.
        for path in registration.presented.values { try fresh.page.add(path) {} }
      }
      // Last: what fails on the way is tried again.
      attachment.withLock { $0 = fresh }
    }
  }

  /// Asks the host to tell when our directory is taken from us, once per directory.
  private func guardDirectory() {
    let runtime = current.runtime
    let (host, thread, old) = registration.withLock { registration in
      guard registration.guarded !== runtime, registration.thread != nil else {
        return (nil as (any PresenterHost)?, nil as LinkThread?, nil as (@Sendable () -> Void)?)
      }
      registration.guarded = runtime
      defer { registration.dismissal = nil }
      return (registration.host, registration.thread, registration.dismissal)
    }
    old?()
    guard let host, let thread else { return }
    thread.setGuarded(false)
    let dismissal = host.guardDirectory(
      runtime.descriptor,
      isInForce: { [weak thread] in thread?.setGuarded($0) },
      heard: { [weak thread] in thread?.reviewSoon() }
    )
    registration.withLock { $0.dismissal = dismissal }
    // It may have been taken before anybody looked out for it.
    thread.reviewSoon()
  }

  /// On the link thread.
  private func review() {
    // What fails now is reported to whoever presents or looks next.
    try? reattachIfReplaced()
    if registration.withLock({ $0.guarded != nil }) { guardDirectory() }
    try? current.index.recountIfDue()
  }
}

extension PresenterLink.Registration {
  fileprivate mutating func append(_ records: [PresenceList.Record], _ attachment: Attachment)
    throws(RuntimeDirectoryError)
  {
    do throws(SystemError) { try list?.append(records) } catch {
      throw RuntimeDirectoryError(attachment.runtime.path, error)
    }
  }

  /// A path that was presented is no more.
  fileprivate mutating func forget(_ path: FilePath) {
    let presented = presented
    list?.forget(pathOf: path.count)
    list?.rewriteIfWorthwhile { presented }
  }
}

/// One link per process and fork.
private enum SharedLink {
  private static let link = PerProcess<PresenterLink?>(nil)

  static func current() throws(RuntimeDirectoryError) -> PresenterLink {
    try link.withLock { link throws(RuntimeDirectoryError) in
      if let link { return link }
      let made = try PresenterLink(runtime: try RuntimeDirectory.shared())
      link = made
      return made
    }
  }
}
