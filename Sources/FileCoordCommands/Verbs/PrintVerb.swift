import DocumentInteraction
import FileCoordination
import LinuxSystem

/// `filecoord print`: files on paper, through CUPS.
enum PrintVerb: Verb {
  private static let printer = OptionDescription(
    "printer",
    "d",
    argument: "NAME",
    "on this printer or class; else on the user's own"
  )
  private static let copies = OptionDescription("copies", "n", argument: "NUMBER", "so many times")

  static let description = VerbDescription(
    "print",
    ["[OPTION]... PATH..."],
    "prints files, read under coordination",
    options: [printer, copies, Coordination.timeout],
    details: """
      Each PATH is a job of its own with its name as the title, handed to lp(1) by its contents
      while nobody writes it. Ends when the jobs are queued. CUPS_SERVER says where the
      scheduler is, LPDEST which printer is the user's own.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    guard !arguments.operands.isEmpty else { throw CommandFailure(.usage, "no PATH") }
    let count = try arguments.text(copies) ?? "1"
    guard let number = Int(count), (1...9999).contains(number) else {
      throw CommandFailure(.usage, "invalid number of copies '\(count)'")
    }
    let name = try arguments.text(printer)
    let coordination = try Coordination(arguments, surroundings)
    return try forEach(of: arguments.operands, surroundings) { word in
      let path = try Operand.path(word)
      _ = try Operand.existing(path, followingLink: true)
      try coordination.run { coordinator in
        try DocumentActions.print(
          path.urlOnDisk,
          on: name,
          copies: number,
          coordinator,
          timeout: coordination.timeLimit
        )
      }
    }
  }
}
