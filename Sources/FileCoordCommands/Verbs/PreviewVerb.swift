import DesktopPrograms
import DocumentInteraction
import FileCoordination
import LinuxSystem

/// `filecoord preview`: a look at an item without a program that knows its kind.
enum PreviewVerb: Verb {
  private static let window = OptionDescription(
    "window",
    "w",
    "in the desktop's own previewer (org.gnome.NautilusPreviewer)"
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
      in the item never reach the terminal. The item is read under coordination.
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
        if arguments.has(window) { return try show(try Operand.path(url)) }
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

  private static func show(_ path: FilePath) throws -> String {
    do throws(DesktopError) {
      try SessionServices.preview(path)
      return ""
    } catch {
      throw CommandFailure(
        .failure,
        error.code == .nobody ? "no previewer is there (Debian: gnome-sushi)" : error.description
      )
    }
  }

  private static var hasColours: Bool {
    guard StandardStream.outputIsTerminal else { return false }
    return ["truecolor", "24bit"].contains(Environment.value(of: "COLORTERM")?.description)
  }
}
