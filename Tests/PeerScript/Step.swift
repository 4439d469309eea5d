/// One thing that a peer does.
///
/// A list of them runs in order on one thread.
package indirect enum Step: Codable, Sendable {
  // MARK: coordination
  case access(Access)
  /// Batch preparation; the completion handler is called at once, or by the signal `completeOn`.
  case prepare(reads: [String], writes: [String], by: String?, completeOn: String?, body: [Step])
  case cancel(coordinator: String)
  case cancelTask(String)
  /// Registers a presenter and keeps it under its name.
  case present(PresenterScript)
  case withdraw(String)
  /// Drops the peer's reference to a presenter without removing it from the registry.
  case forget(String)
  /// Gives a presenter another URL, as its own work would.
  case adopt(String, String?)
  /// Makes, registers and drops presenters that remove themselves in deinit.
  case churnPresenters(String, count: Int)
  /// Makes a coordinator for a presenter now, under a name.
  case makeCoordinator(String, presenter: String?)
  case setPurpose(coordinator: String, String)
  /// Seconds a presenter may take; nil for no limit.
  case presenterLimit(Double?)
  case announceMove(from: String, to: String, coordinator: String?)

  // MARK: files; an empty path means the accessor's first URL, "2" its second
  case put(String, String)
  case append(String, String)
  /// Emits `text` with the contents.
  case get(String)
  case delete(String)
  case makeDirectory(String)
  /// Renames; announced to the coordinator of the access it stands in when `announced`.
  case move(String, to: String, announced: Bool)
  /// Reads a number, adds one, writes it back in place.
  case increment(String)
  /// Emits `exists` with yes or no.
  case exists(String)
  /// Writes the file as many copies of the text, in small pieces.
  case fill(String, String, Int)
  /// Emits `mixed` if the file is anything but copies of one letter.
  case checkFill(String)

  // MARK: control
  /// Emits `note` with the text.
  case note(String)
  /// Emits `waiting` and waits until the signal was given, by the test or by another step.
  case wait(String)
  /// Waits at most so many seconds; goes on either way, and emits `gaveUp` if it did not come.
  case waitAtMost(String, Double)
  case signal(String)
  case times(Int, [Step])
  /// All lists at once, each on a thread of its own; ends when all did.
  case concurrently([[Step]])
  /// On the main thread, waited for.
  case onMain([Step])
  /// On the queue of a presenter, waited for.
  case onQueue(of: String, [Step])
  /// While a mutex of that name is held.
  case locked(String, [Step])
  /// Emits the steps' duration in milliseconds as `took`.
  case timed([Step])

  // MARK: answers, inside a presenter's callback
  /// The callback is answered with an error.
  case answerError(domain: String, code: Int)
  /// The callback is never answered.
  case neverAnswer
  /// The callback returns now; the rest runs on another thread once the signal came, then answers.
  case answerLater(String, [Step])

  // MARK: the process
  /// Emits `descriptors` with how many are open.
  case countDescriptors
  /// Emits `threads` with how many there are.
  case countThreads
  /// The next calls of that name fail with these error numbers.
  case fault(String, [Int32])
  case clearFaults
  /// Starts a program that outlives the peer; emits `spawned` with its id.
  case spawn(String, [String])
  /// Forks without exec; the child waits for the file to appear, and ends. Emits `forked`.
  case fork(untilExists: String)
  /// Forks without exec; the child does one coordinated write of a text, and ends with 0 or 1.
  case forkWrite(String, String)
  /// Ends the process at once, as exit(3) would not.
  case die
  /// SIGUSR1 interrupts system calls and does nothing else.
  case interruptible
  /// Soft limit of descriptors.
  case limitDescriptors(Int)
  /// A member of the torture test.
  case torture(TortureMember)
}

/// A command to a peer: what to do, under which tag its events come.
package struct Command: Codable, Sendable {
  package let tag: String
  package let steps: [Step]
  package init(tag: String, steps: [Step]) {
    self.tag = tag
    self.steps = steps
  }
}

/// What a peer says: one line each.
package struct PeerEvent: Codable, Sendable, CustomStringConvertible {
  /// CLOCK_MONOTONIC in nanoseconds: comparable between the processes of one machine.
  package let time: UInt64
  /// Counts the process's events.
  package let number: Int
  /// The command's tag, or the presenter's name.
  package let tag: String
  package let name: String
  package let text: String

  package init(time: UInt64, number: Int, tag: String, name: String, text: String) {
    self.time = time
    self.number = number
    self.tag = tag
    self.name = name
    self.text = text
  }

  package var description: String { "\(time / 1000) us \(tag): \(name) \(text)" }
}
