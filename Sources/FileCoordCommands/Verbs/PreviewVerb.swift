import DocumentInteraction
import FileCoordination
import Foundation
import LinuxSystem

/// `filecoord preview`: a look at an item without a program that knows its kind.
enum PreviewVerb: Verb {
  private static let window = OptionDescription(
    "window",
    "w",
    "in a window: the desktop's own previewer, else preview-window"
  )
  private static let thumbnail = OptionDescription(
    "thumbnail",
    nil,
    "only print the path of its thumbnail, made if there is none"
  )

  static let description = VerbDescription(
    "preview",
    ["[--window | --thumbnail] PATH"],
    "shows what can be shown of an item: text, a picture, else the facts",
    options: [window, thumbnail, Coordination.timeout],
    details: """
      Text is shown in whatever encoding it is; pictures as blocks, in colours where COLORTERM
      says 'truecolor' and standard output is a terminal. Pictures are decoded by a process of
      its own, preview-decoder, which can read no other file and write none. Control characters
      in the item never reach the terminal. The item is read under coordination. With --window
      the desktop's previewer (org.gnome.NautilusPreviewer) is asked to show it, else
      preview-window is started, which is looked for beside filecoord, in
      ../libexec/file-coordination and in PATH; where there is neither, or no display, standard
      error says so and the item is shown here.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let path = try Operand.path(arguments.single("PATH"))
    _ = try Operand.existing(path, followingLink: true)
    let coordination = try Coordination(arguments, surroundings)
    let text = try coordination.run { coordinator in
      try coordinator.coordinate(
        readingItemAt: path.urlOnDisk,
        options: .resolvesSymbolicLink,
        timeout: coordination.timeLimit
      ) { url in
        if arguments.has(window), leaveToWindow(url, surroundings) { return "" }
        if arguments.has(thumbnail) {
          guard let file = try DocumentThumbnails().makeIfMissing(url, .normal) else {
            throw CommandFailure(.failure, "\(path): no thumbnail of it can be made")
          }
          return try Operand.path(file).description + "\n"
        }
        let size = StandardStream.terminalSize
        let preview = try DocumentPreview.make(of: url)
        let lines = preview.lines(
          columns: size.columns,
          rows: size.rows,
          hasColours: hasColours
        )
        return lines.joined(separator: "\n") + "\n"
      }
    }
    try surroundings.output.text(text)
    return .success
  }

  /// Whether a window shows it from now on; else the user is told why not.
  private static func leaveToWindow(_ url: URL, _ surroundings: Surroundings) -> Bool {
    do {
      try PreviewWindows.leave(url)
      return true
    } catch {
      surroundings.report(CommandFailure(reporting: error), in: description.name)
      return false
    }
  }

  private static var hasColours: Bool {
    guard StandardStream.outputIsTerminal else { return false }
    return ["truecolor", "24bit"].contains(Environment.value(of: "COLORTERM")?.description)
  }
}
