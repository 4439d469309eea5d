import FileCoordination
import Foundation
import LinuxSystem

/// The command after `--`, run inside one coordinated access to all the paths before it.
struct CommandRun {
  static let details = """
    All PATHs are claimed at once. Every {} in COMMAND stands for the absolute path of
    one PATH, as it is when access was granted: the first {} for the first PATH, the
    next {} for the next, and after the last PATH from the first again.

    COMMAND inherits the lock: it is held until COMMAND ends, also when filecoord is
    killed, and if COMMAND leaves a process behind, until that ends as well. Signals
    INT, TERM and HUP sent to filecoord are passed on. The exit status is that of
    COMMAND, or 128 plus the number of the signal that killed it.
    """

  private let paths: [FilePath]
  private let words: [FilePath]
  private let mustExist: Bool
  private let coordination: Coordination
  private let surroundings: Surroundings

  /// `mustExist` makes a missing item an error; else it may be about to be made.
  init(_ arguments: ParsedArguments, _ surroundings: Surroundings, mustExist: Bool) throws {
    guard !arguments.operands.isEmpty else { throw CommandFailure(.usage, "no PATH") }
    guard let words = arguments.command else {
      throw CommandFailure(.usage, "no '--' between the PATHs and the COMMAND")
    }
    guard !words.isEmpty else { throw CommandFailure(.usage, "no COMMAND after '--'") }
    self.words = words
    self.mustExist = mustExist
    self.surroundings = surroundings
    paths = try arguments.operands.map(Operand.path)
    coordination = try Coordination(arguments, surroundings)
  }

  func inside(
    _ access: (URL) -> NSFileCoordinator.InheritedItem
  ) throws -> ExitStatus {
    try coordination.run { coordinator in
      try coordinator.withInheritableAccess(
        to: paths.map { access($0.urlOnDisk) },
        timeout: coordination.timeLimit
      ) { urls, descriptors in
        try surroundings.interruption.check()
        return try run(urls.map(Operand.path), descriptors)
      }
    }
  }

  private func run(_ paths: [FilePath], _ descriptors: [CInt]) throws -> ExitStatus {
    if mustExist { for path in paths { _ = try Operand.existing(path) } }
    let command: RunningCommand
    do {
      command = try RunningCommand(
        Self.fill(words, with: paths),
        keeping: descriptors,
        undoing: surroundings.interruption.source
      )
    } catch {
      throw CommandFailure(
        error.code == .noEntry ? .notFound : .cannotRun,
        "\(words[0]): \(error.reason)"
      )
    }
    let status = try surroundings.interruption.during({ try command.wait() }) { arrival in
      // What a key on the terminal sent, the command has already.
      if !arrival.isFromKernel { command.send(arrival.signal) }
    }
    return ExitStatus(rawValue: status)
  }

  /// The words with every `{}` replaced by a path, in turn.
  static func fill(_ words: [FilePath], with paths: [FilePath]) -> [FilePath] {
    var used = 0
    return words.map { word in
      var filled: [UInt8] = []
      var rest = word.bytes
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "{"), rest.first == UInt8(ascii: "}") {
          rest.removeFirst()
          filled += paths[used % paths.count].bytes
          used += 1
        } else {
          filled.append(byte)
        }
      }
      return FilePath(bytes: filled)
    }
  }
}
