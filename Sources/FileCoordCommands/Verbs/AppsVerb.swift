import DesktopPrograms
import DocumentInteraction
import LinuxSystem

/// `filecoord apps`: which programs can open an item.
enum AppsVerb: Verb {
  static let description = VerbDescription(
    "apps",
    ["[--json] PATH"],
    "lists the programs that can open an item, the preferred one first",
    options: [.json],
    details: """
      What is installed, and what the user prefers, is read through GIO, from the desktop entries
      and the mimeapps.list files. With --json each line is an object: "id" (the name of
      the desktop entry), "name", "type" (the item's MIME type), "preferred", "terminal",
      "activatable", and where they are known "icon", "exec" and "entry" (the file).
      """
  )

  /// A program as a line of JSON.
  private struct Line: Encodable {
    let id: String
    let name: String
    let type: String
    let preferred: Bool
    let terminal: Bool
    let activatable: Bool
    let icon: String?
    let exec: String?
    let entry: String?
  }

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let path = try Operand.path(arguments.single("PATH"))
    _ = try Operand.existing(path, followingLink: true)
    let type = try type(of: path)
    let preferred = DesktopPrograms.preferred(for: type)
    for program in DesktopPrograms.menu(for: type) {
      guard arguments.has(.json) else {
        // Whoever wrote the entry does not write to the terminal.
        let words = [program.id, program.name].map(TerminalText.plain)
        try surroundings.output.encoded(words.joined(separator: "\t"))
        continue
      }
      let line = Line(
        id: program.id,
        name: program.name,
        type: type,
        preferred: program == preferred,
        terminal: program.needsTerminal,
        activatable: program.isActivatable,
        icon: program.iconName,
        exec: program.commandLine,
        entry: program.file?.description
      )
      try surroundings.output.encoded(JSONLine.encode(line))
    }
    return .success
  }

  /// The MIME type of an item.
  static func type(of path: FilePath) throws -> String {
    do throws(DesktopError) {
      return try DesktopPrograms.type(of: path)
    } catch {
      throw CommandFailure(.failure, error.description)
    }
  }
}
