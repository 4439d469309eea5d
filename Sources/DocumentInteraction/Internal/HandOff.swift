import DesktopFiles
import DesktopPrograms
package import FileCoordination
package import Foundation
import LinuxSystem

/// One file that goes to one program.
package struct HandOff: Sendable {
  /// The file.
  package let url: URL
  /// The name of the program's desktop entry, or ``outside``.
  package let program: String
  /// Whether the user is asked for the program even if there is a preferred one; by the portal only.
  package var asks = false
  /// Whether the program gets the file itself; else a copy.
  package var opensInPlace = true
  /// What the program is told about it.
  package var annotation: [UInt8]?
  /// How long to wait for access at most.
  package var timeLimit: Duration?

  package init(url: URL, program: String, opensInPlace: Bool = true) {
    self.url = url
    self.program = program
    self.opensInPlace = opensInPlace
  }

  /// How long a program that does not open the file keeps writers waiting.
  static let patience = Duration.seconds(3)

  /// What stands for a bundle identifier: the entry's name without `.desktop`; nil for ``outside``.
  static func identifier(_ id: String) -> String? {
    if id == outside { return nil }
    return id.hasSuffix(".desktop") ? String(id.dropLast(8)) : id
  }

  /// Starts the program under a coordinated read, which lasts until it has opened the file, has ended, or
  /// three seconds are over; blocks the calling thread, with ``outside`` until the user has chosen.
  ///
  /// - Throws: ``DocumentInteractionError``, ``CoordinationError``.
  package func run(_ coordinator: NSFileCoordinator = NSFileCoordinator()) throws {
    if program == Self.outside {
      // The user who wants none knows.
      _ = try ask(coordinator).get()
      return
    }
    guard let program = DesktopProgram(id: program) else {
      throw DocumentInteractionError(
        .noProgram,
        url,
        "\(program): no such program is installed, or it cannot be run"
      )
    }
    try coordinator.coordinate(readingItemAt: url, timeout: timeLimit) { url in
      guard let path = FilePath(url) else {
        throw DocumentInteractionError(.notOpened, url, "\(url) is not the URL of a file")
      }
      let target = opensInPlace ? path : try Inbox.current().copy(path)
      let watch = try OpeningWatch(target)
      var launch = ProgramLaunch(program, [target])
      launch.annotation = annotation
      // Ours, if we have one, is not meant for it.
      launch.variables[DocumentAnnotation.variable] = .some(
        annotation.map { Data($0).base64EncodedString() }
      )
      do throws(DesktopError) {
        if case .processes(let processes) = try launch.start() {
          watch.wait(for: processes, within: Self.patience)
        }
      } catch {
        throw DocumentInteractionError(.notOpened, url, error.description)
      }
    }
  }
}

/// Tells when somebody opens a file.
private struct OpeningWatch: ~Copyable {
  private let events: InotifyInstance

  init(_ path: FilePath) throws(SystemError) {
    let events = try InotifyInstance()
    // Opened for its path only: that is no opening.
    let file = try Descriptor.open(path, .pathOnly)
    _ = try events.add(file.number, .opened)
    self.events = events
  }

  /// Blocks until somebody opened it, all these processes have ended, or the time is over.
  func wait(for processes: [Int32], within limit: Duration) {
    // Without a poll nobody waits; the read was held while the program started.
    guard let poll = try? EventPoll(), (try? poll.add(events.number)) != nil else { return }
    let deadline = MonotonicInstant.now + limit
    // One that is gone already needs no watch.
    var alive = processes.compactMap { pid in
      try? SharedDescriptor(Descriptor.process(pid))
    }
    for process in alive { try? poll.add(process.number) }
    while !alive.isEmpty, MonotonicInstant.now < deadline {
      let ready = poll.wait(until: deadline)
      if ready.contains(events.number) { return }
      for number in ready { poll.remove(number) }
      alive.removeAll { ready.contains($0.number) }
    }
  }
}
