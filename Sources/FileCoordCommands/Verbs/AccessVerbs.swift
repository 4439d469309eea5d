import FileCoordination
import Foundation
import LinuxSystem

/// `filecoord read`: a command inside a coordinated read.
enum ReadVerb: Verb {
  private static let withoutChanges = OptionDescription(
    "without-changes",
    "w",
    "do not ask programs to save first"
  )
  private static let resolveLink = OptionDescription(
    "resolve-link",
    "l",
    "a link stands for what it points to"
  )

  static let description = VerbDescription(
    "read",
    ["[OPTION]... PATH... -- COMMAND [ARGUMENT]..."],
    "runs a command while nobody who coordinates writes",
    options: [withoutChanges, resolveLink, Coordination.timeout, Coordination.purpose],
    takesCommand: true,
    details: CommandRun.details
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    var options: NSFileCoordinator.ReadingOptions = []
    if arguments.has(withoutChanges) { options.insert(.withoutChanges) }
    if arguments.has(resolveLink) { options.insert(.resolvesSymbolicLink) }
    let run = try CommandRun(arguments, surroundings, mustExist: true)
    return try run.inside { .reading($0, options) }
  }
}

/// `filecoord write`: a command inside a coordinated write.
enum WriteVerb: Verb {
  private static let kind = OptionDescription(
    "for",
    "f",
    argument: "WHAT",
    "WHAT will be done: deleting, moving, merging or replacing"
  )

  static let description = VerbDescription(
    "write",
    ["[OPTION]... PATH... -- COMMAND [ARGUMENT]..."],
    "runs a command while nobody else who coordinates reads or writes",
    options: [kind, Coordination.timeout, Coordination.purpose],
    takesCommand: true,
    details: CommandRun.details
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let options: NSFileCoordinator.WritingOptions
    switch try arguments.text(kind) {
    case nil: options = []
    case "deleting": options = .forDeleting
    case "moving": options = .forMoving
    case "merging": options = .forMerging
    case "replacing": options = .forReplacing
    case let other?: throw CommandFailure(.usage, "invalid argument '\(other)' for --for")
    }
    let run = try CommandRun(
      arguments,
      surroundings,
      mustExist: options == .forDeleting || options == .forMoving
    )
    return try run.inside { .writing($0, options) }
  }
}
