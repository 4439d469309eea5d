import FileCoordination
import LinuxSystem

/// `filecoord demo-editor`: one of the two programs that edit the file of the demo.
enum DemoEditorVerb: Verb {
  static let description = VerbDescription(
    "demo-editor",
    ["NAME FILE"],
    "edits the file of the demo",
    options: [DemoVerb.withoutCoordination],
    hidden: true
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let words = try arguments.pair()
    let editor = try DemoEditor(words.source.description, surroundings.output)
    let file = try Operand.path(words.destination)
    let isCareless = arguments.has(DemoVerb.withoutCoordination)
    try surroundings.interruption.during({
      let desk: any DemoDesk =
        isCareless ? CarelessDesk(file, editor) : DocumentDesk(file, editor)
      try editor.run(desk, surroundings.interruption)
    }) { _ in editor.wake() }
    return .success
  }
}
