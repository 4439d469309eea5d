import LinuxSystem

/// Directories that a second thread reads while the monitor's thread opens and watches the next ones.
///
/// Watching and reading are about half each of what a large tree takes to begin with, and the kernel does
/// them side by side. It lasts as long as one walk; a directory is handed over when it is watched, so that
/// nothing made in between is missed.
final class ListingAhead {
  /// How many directories are open at once at most; never more than a sixteenth of what the process may
  /// have.
  private let most: Int
  /// How many are handed over at a time.
  private static let batch = 8

  private let desk: Desk
  private var outbox: [Job] = []
  private var nodes: [Int: Node] = [:]
  private var next = 0

  /// Nil where there is one processor only, or neither a thread nor descriptors to spare: then it is done
  /// without.
  init?() {
    most = min(64, ProcessLimits.descriptors / 16)
    guard most >= Self.batch, ProcessLimits.processors > 1 else { return nil }
    let desk = Desk()
    // Each wakes the other often, and the kernel takes the waker's processor to be the best place: there the
    // two would take turns.
    let ours = Processor.current
    do {
      try BlockingThread.start("file-listing") {
        ours.avoid()
        desk.work()
      }
    } catch { return nil }
    self.desk = desk
  }

  deinit { desk.close() }

  /// Hands over a directory that is open for reading and of which nothing was read yet.
  func hand(_ node: Node, _ directory: SharedDescriptor) {
    nodes[next] = node
    outbox.append(Job(number: next, directory: directory))
    next += 1
    if outbox.count == Self.batch { send() }
  }

  /// What was read since the last time, nil where reading failed.
  ///
  /// Blocks while nothing is there, if nothing else is to be done meanwhile or too much is handed over.
  func take(isIdle: Bool) -> [(node: Node, listing: DirectoryListing?)] {
    if isIdle { send() }
    let answers = desk.take(waiting: !nodes.isEmpty && (isIdle || nodes.count >= most))
    return answers.compactMap { answer in
      nodes.removeValue(forKey: answer.number).map { ($0, answer.listing) }
    }
  }

  /// Whether what is handed over has been read and closed; blocks until that is so.
  ///
  /// False if nothing was.
  func settle() -> Bool {
    guard !nodes.isEmpty else { return false }
    send()
    desk.waitUntilRead()
    return true
  }

  private func send() {
    guard !outbox.isEmpty else { return }
    desk.put(outbox)
    outbox.removeAll(keepingCapacity: true)
  }

  private struct Job: Sendable {
    let number: Int
    let directory: SharedDescriptor
  }

  private struct Answer: Sendable {
    let number: Int
    let listing: DirectoryListing?
  }

  /// What the two threads share.
  private final class Desk: Sendable {
    private struct State {
      var jobs: [Job] = []
      var isReading = false
      var answers: [Answer] = []
      var isClosed = false
    }
    private let state = Mutex(State())
    private let reader = ThreadParker()
    private let asker = ThreadParker()

    func put(_ jobs: [Job]) {
      state.withLock { $0.jobs += jobs }
      reader.wake()
    }

    func close() {
      state.withLock { $0.isClosed = true }
      reader.wake()
    }

    func take(waiting: Bool) -> [Answer] {
      while true {
        let answers = state.withLock { state in
          defer { state.answers = [] }
          return state.answers
        }
        if !waiting || !answers.isEmpty { return answers }
        asker.wait(until: nil)
      }
    }

    func waitUntilRead() {
      while state.withLock({ !$0.jobs.isEmpty || $0.isReading }) { asker.wait(until: nil) }
    }

    /// The second thread's whole life.
    func work() {
      while let answers = read() {
        if !answers.isEmpty { finish(answers) }
      }
    }

    /// Reads the directories that are there, or waits until there may be some; nil when that was all.
    ///
    /// What was read is closed when it returns: whoever waits for descriptors has them with the answer.
    private func read() -> [Answer]? {
      let jobs = state.withLock { state -> [Job]? in
        if state.isClosed { return nil }
        defer { state.jobs = [] }
        state.isReading = !state.jobs.isEmpty
        return state.jobs
      }
      guard let jobs else { return nil }
      if jobs.isEmpty { reader.wait(until: nil) }
      // What cannot be read is told by who looks at it by name.
      return jobs.map {
        Answer(number: $0.number, listing: try? DirectoryListing(of: $0.directory.number))
      }
    }

    private func finish(_ answers: [Answer]) {
      state.withLock { state in
        state.answers += answers
        state.isReading = false
      }
      asker.wake()
    }
  }
}
