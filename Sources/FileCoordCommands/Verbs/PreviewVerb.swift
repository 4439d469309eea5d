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

  private static let pictures = OptionDescription(
    "pictures",
    "p",
    argument: "FORMAT",
    "how: auto, sixel, kitty, iterm, blocks or plain"
  )

  static let description = VerbDescription(
    "preview",
    ["[--window | --thumbnail] [--pictures FORMAT] PATH"],
    "shows what can be shown of an item: text, a picture, else the facts",
    options: [window, thumbnail, pictures, Coordination.timeout],
    details: """
      Text is shown in whatever encoding it is; pictures as well as the terminal can, by
      picture-writer, which is looked for beside filecoord, in ../libexec/file-coordination and
      in PATH. Without it, with --pictures=plain and where standard output is no terminal they
      are blocks, in colours where COLORTERM says 'truecolor'. Pictures are decoded by a process of
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
    let format = try arguments.text(pictures)
    let writer = try writer(format)
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
        return try lines(of: url, writer, isAsked: format != nil)
      }
    }
    try surroundings.output.text(text)
    return .success
  }

  /// Who writes pictures; nil: nobody but us.
  private static func writer(_ format: String?) throws -> PictureWriter? {
    if format == "plain" { return nil }
    if format == nil, !StandardStream.outputIsTerminal { return nil }
    guard let known = PictureWriter.Format(rawValue: format ?? "auto") else {
      throw CommandFailure(.usage, "there is no format '\(format ?? "")' for pictures")
    }
    if let writer = PictureWriter(known) { return writer }
    if format == nil { return nil }
    throw CommandFailure(.notFound, "picture-writer is not installed (see Sources/Desktop)")
  }

  private static func lines(
    of url: URL,
    _ writer: PictureWriter?,
    isAsked: Bool
  ) throws -> String {
    let size = StandardStream.terminalSize
    let (width, height) = writer?.dots(columns: size.columns, rows: size.rows) ?? (512, 512)
    let preview = try DocumentPreview.make(of: url, width: width, height: height)
    var failure: (any Error)?
    let lines = preview.lines(
      columns: size.columns,
      rows: size.rows,
      hasColours: hasColours
    ) { picture, columns, rows in
      do {
        return try writer?.write(picture, columns: columns, rows: rows)
      } catch {
        failure = error
        return nil
      }
    }
    // Who did not ask for it gets blocks instead.
    if isAsked, let failure { throw failure }
    return lines.joined(separator: "\n") + "\n"
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
