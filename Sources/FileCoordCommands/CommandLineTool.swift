import CoordinationRuntime
import LinuxSystem

/// Runs the command that this process was started as, and ends the process.
public func runFileCoord() -> Never {
  StandardStream.keepPlaces()
  Environment.exit(CommandLineTool.main(Environment.arguments).rawValue)
}

/// The command as a whole: picks the verb, parses, runs, reports.
enum CommandLineTool {
  /// Also the version of the package.
  static let version = "0.1.0"

  static var verbs: [any Verb.Type] {
    [
      ReadVerb.self, WriteVerb.self, MoveVerb.self, RemoveVerb.self, CopyVerb.self,
      WatchVerb.self, StatusVerb.self, VersionsVerb.self, PickVerb.self, ProvidersVerb.self,
      BookmarkVerb.self, SourceVerb.self, OpenVerb.self, AppsVerb.self, PreviewVerb.self,
      PrintVerb.self, TrashVerb.self, DemoVerb.self, DemoEditorVerb.self,
    ]
  }

  private static let versionOption = OptionDescription("version", "V", "show the version")
  private static let globalOptions = [OptionDescription.help, versionOption]

  /// The process's own run: real streams, real signals.
  static func main(_ words: [FilePath]) -> ExitStatus {
    let output = Output.stream(.output)
    let errors = Output.stream(.error)
    let interruption: Interruption
    do {
      interruption = try Interruption(takingOver: [.interrupt, .terminate, .hangUp])
    } catch {
      let plain = Surroundings(output: output, errors: errors, interruption: Interruption())
      plain.report(CommandFailure(reporting: error), in: nil)
      return .failure
    }
    defer { PeerFolder.leave() }
    return run(
      words,
      Surroundings(output: output, errors: errors, interruption: interruption)
    )
  }

  static func run(_ words: [FilePath], _ surroundings: Surroundings) -> ExitStatus {
    var verb: (any Verb.Type)?
    do {
      // Options before the verb are the command's own; what follows the verb is the verb's.
      let start = words.firstIndex { $0.bytes.first != UInt8(ascii: "-") } ?? words.endIndex
      let global = try parseGlobal(Array(words[..<start]))
      if global.has(.help) {
        try surroundings.output.text(help)
        return .success
      }
      if global.has(versionOption) {
        try surroundings.output.line("filecoord \(version)")
        return .success
      }
      guard start < words.endIndex else {
        throw CommandFailure(.usage, "no verb; try 'filecoord --help'")
      }
      if words[start].string == "help" {
        try surroundings.output.text(try helpOf(Array(words[(start + 1)...])))
        return .success
      }
      let found = try find(words[start])
      verb = found
      return try run(found, Array(words[(start + 1)...]), surroundings)
    } catch {
      let failure = CommandFailure(reporting: error)
      surroundings.report(failure, in: verb?.description.name)
      return failure.status
    }
  }

  private static func parseGlobal(_ words: [FilePath]) throws -> ParsedArguments {
    do {
      return try ParsedArguments(words, options: globalOptions)
    } catch let error as CommandFailure where error.status == .usage {
      throw CommandFailure(.usage, "\(error.description); try 'filecoord --help'")
    }
  }

  private static func run(
    _ verb: any Verb.Type,
    _ words: [FilePath],
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let description = verb.description
    do {
      let arguments = try ParsedArguments(
        words,
        options: description.options,
        takesCommand: description.takesCommand
      )
      if arguments.has(.help) {
        try surroundings.output.text(description.help)
        return .success
      }
      return try verb.run(arguments, surroundings)
    } catch let error as CommandFailure where error.status == .usage {
      throw CommandFailure(
        .usage,
        "\(error.description); try 'filecoord \(description.name) --help'"
      )
    }
  }

  private static func find(_ word: FilePath) throws -> any Verb.Type {
    guard let verb = verbs.first(where: { $0.description.name == word.string }) else {
      throw CommandFailure(.usage, "unknown verb '\(word)'; try 'filecoord --help'")
    }
    return verb
  }

  private static func helpOf(_ words: [FilePath]) throws -> String {
    guard let word = words.first else { return help }
    return try find(word).description.help
  }

  /// What `filecoord --help` shows.
  static var help: String {
    let shown = verbs.map { $0.description }.filter { !$0.isHidden }
    let width = shown.map(\.name.count).max() ?? 0
    let list = shown.map { verb in
      "  " + verb.name + String(repeating: " ", count: width - verb.name.count + 2) + verb.summary
    }
    return """
      usage: filecoord VERB [OPTION]... [ARGUMENT]...
         or: filecoord VERB --help
         or: filecoord --version

      Reads, writes, moves and watches files so that it and all programs that coordinate
      their file access wait for each other and are told of changes.

      verbs:
      \(list.joined(separator: "\n"))

      exit status: the command's own; else 0 done, 1 failed, 64 usage, 66 no such item,
      73 cannot create, 75 time limit, 77 not permitted, 126 COMMAND cannot be run,
      127 COMMAND not found, 130 interrupted.

      """
  }
}
