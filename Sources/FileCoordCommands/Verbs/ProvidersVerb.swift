import DocumentPicker
import DocumentTypes
import Foundation
import LinuxSystem

/// `filecoord providers`: who provides documents, and who is switched on.
enum ProvidersVerb: Verb {
  private static let json = OptionDescription("json", "j", "one JSON object per provider")

  static let description = VerbDescription(
    "providers",
    ["list [--json]", "enable ID", "disable ID", "mount ID MOUNTPOINT", "unmount MOUNTPOINT"],
    "lists document providers, switches them on and off, mounts their folders",
    options: [json],
    details: """
      Providers are declared by files in document-providers in the user's data directory
      ($XDG_DATA_HOME) and in those of $XDG_DATA_DIRS. What is switched off is not shown
      by document pickers and menus; files in its folder can be used all the same.

      A folder that is mounted (by FUSE) shows items that are not here as files, and has
      them delivered when they are opened: for programs that do not coordinate.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let words = arguments.operands
    switch (words.first?.string, words.count) {
    case ("list", 1): try list(arguments, surroundings)
    case ("enable", 2): try set(true, words[1])
    case ("disable", 2): try set(false, words[1])
    case ("mount", 3): try ProviderMount.mount(identifier(words[1]), at: Operand.path(words[2]))
    case ("unmount", 2): try ProviderMount.unmount(Operand.path(words[1]))
    case ("list", _), ("enable", _), ("disable", _), ("mount", _), ("unmount", _):
      throw CommandFailure(.usage, "wrong number of operands for '\(words[0])'")
    case (nil, 0): throw CommandFailure(.usage, "list, enable, disable, mount or unmount?")
    default: throw CommandFailure(.usage, "unknown action '\(words[0])'")
    }
    return .success
  }

  private struct Line: Encodable {
    let id: String
    let name: String
    let enabled: Bool
    let modes: [String]
    let types: [String]
    let declaration: String?
  }

  private static func list(_ arguments: ParsedArguments, _ surroundings: Surroundings) throws {
    for entry in DocumentProviders.all {
      let provider = entry.provider
      let line = Line(
        id: provider.id.rawValue,
        name: provider.displayName,
        enabled: entry.isEnabled,
        modes: PickVerb.modes.filter { provider.modes.contains($0.mode) }.map(\.name),
        types: provider.supportedTypes.map(\.identifier),
        declaration: entry.file?.path
      )
      if arguments.has(json) {
        try surroundings.output.encoded(try JSONLine.encode(line))
      } else {
        let state = line.enabled ? "on " : "off"
        let modes = line.modes.joined(separator: ",")
        try surroundings.output.line("\(state)  \(line.id)  \(line.name)  \(modes)")
      }
    }
    for problem in DocumentProviders.problems {
      try surroundings.errors.line("filecoord: \(problem)")
    }
  }

  private static func identifier(_ word: FilePath) throws -> String {
    guard let id = word.string else { throw CommandFailure(.usage, "'\(word)' is no identifier") }
    return id
  }

  private static func set(_ isEnabled: Bool, _ word: FilePath) throws {
    let id = try identifier(word)
    do {
      try DocumentProviders.setEnabled(isEnabled, ProviderID(rawValue: id))
    } catch DocumentPickerError.noProviderAvailable {
      throw CommandFailure(.noSuchItem, "no provider '\(id)' is declared")
    }
  }
}
