import DocumentInteraction
import FileCoordination
import LinuxSystem

/// `filecoord trash`: coordinated moving to the desktop's trash.
enum TrashVerb: Verb {
  static let description = VerbDescription(
    "trash",
    ["[OPTION]... PATH..."],
    "moves items to the trash after the programs that show them have agreed",
    options: [Coordination.timeout],
    details: """
      As 'filecoord rm', but the item can be got back with any program that knows the desktop's
      trash (gio trash --list, a file manager). Programs that show an item close it. An item of
      another file system than the home directory's goes to a trash at the top of its own.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    guard !arguments.operands.isEmpty else { throw CommandFailure(.usage, "no PATH") }
    let coordination = try Coordination(arguments, surroundings)
    return try forEach(of: arguments.operands, surroundings) { word in
      let path = try Operand.pathToTake(word, "trash")
      _ = try Operand.existing(path)
      _ = try coordination.run { coordinator in
        try DocumentActions.moveToTrash(
          path.urlOnDisk,
          coordinator,
          timeout: coordination.timeLimit
        )
      }
    }
  }
}
