import FileCoordination
import Foundation
import LinuxSystem

/// `filecoord watch`: presents items and prints what a presenter is told.
enum WatchVerb: Verb {
  static let description = VerbDescription(
    "watch",
    ["[OPTION]... PATH..."],
    "prints every message about the items until interrupted",
    options: [.json],
    details: """
      Presents the PATHs, which makes this program a party to every coordinated access: it is
      asked to let go, to save and to agree to deletions, does so at once, and prints it.
      Changes by programs that know nothing of coordination are printed as well. A PATH that
      does not exist yet is presented if its directory exists. The first lines say what is
      presented; every line is written at once.

      With --json each line is an object: "time" (ISO 8601), "message" (the method of
      NSFilePresenter, or "presenting"), "path" and "url" (the item; bytes that are not
      UTF-8 survive in "url" only), "subitem" and "subitemURL" (an item inside), "newPath"
      and "newURL" (after a move), "for" (reader or writer), "attributes".
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    guard !arguments.operands.isEmpty else { throw CommandFailure(.usage, "no PATH") }
    let paths = try arguments.operands.map(present)
    let printer = MessagePrinter(surroundings.output, asJSON: arguments.has(.json))
    let end = try WaitPoint()
    let presenters = paths.map { WatchingPresenter($0, printer) }
    return try surroundings.interruption.during({
      for presenter in presenters {
        NSFileCoordinator.addFilePresenter(presenter)
        printer.print(PresenterMessage("presenting", presenter.url))
      }
      defer { for presenter in presenters { NSFileCoordinator.removeFilePresenter(presenter) } }
      printer.whenFailing { end.wake() }
      while surroundings.interruption.signal == nil, printer.failure == nil {
        _ = end.wait(until: nil)
      }
      if let failure = printer.failure { throw failure }
      return .signalled((surroundings.interruption.signal ?? .interrupt).rawValue)
    }) { _ in end.wake() }
  }

  private static func present(_ word: FilePath) throws -> FilePath {
    let path = try Operand.path(word)
    if try Operand.status(path) == nil { _ = try Operand.existing(path.parent ?? FilePath("/")) }
    return path
  }
}

/// One message to a presenter, as `watch` prints it.
struct PresenterMessage: Encodable, Sendable {
  let time: String
  let message: String
  let path: String
  let url: String
  var subitem: String?
  var subitemURL: String?
  var newPath: String?
  var newURL: String?
  var `for`: String?
  var attributes: [String]?
  /// For people; not in the JSON.
  let clock: String

  private enum CodingKeys: String, CodingKey {
    case time, message, path, url, subitem, subitemURL, newPath, newURL, `for`, attributes
  }

  init(_ message: String, _ item: URL, subitem: URL? = nil, new: URL? = nil) {
    let now = Date()
    time = ClockTime.iso(now)
    clock = ClockTime.text(now)
    self.message = message
    path = Self.text(item)
    url = item.absoluteString
    self.subitem = subitem.map(Self.text)
    subitemURL = subitem?.absoluteString
    newPath = new.map(Self.text)
    newURL = new?.absoluteString
  }

  /// `time  message  path …`.
  var line: String {
    var words = [clock, message.padding(toLength: 34, withPad: " ", startingAt: 0)]
    words.append(subitem ?? path)
    if let newPath { words.append("-> \(newPath)") }
    if let purpose = `for` { words.append("(for a \(purpose))") }
    if let attributes { words.append("(\(attributes.joined(separator: ", ")))") }
    return words.joined(separator: "  ")
  }

  private static func text(_ url: URL) -> String { FilePath(url)?.description ?? url.path }
}

/// Prints messages in the order in which they came, from any thread.
final class MessagePrinter: Sendable {
  private struct State {
    var failure: CommandFailure?
    var whenFailing: (@Sendable () -> Void)?
  }
  private let output: Output
  private let asJSON: Bool
  private let state = Mutex(State())

  init(_ output: Output, asJSON: Bool) {
    self.output = output
    self.asJSON = asJSON
  }

  /// Why nothing can be printed any more.
  var failure: CommandFailure? { state.withLock { $0.failure } }

  /// What to do when printing fails.
  func whenFailing(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.whenFailing = action }
  }

  func print(_ message: PresenterMessage) {
    do {
      if asJSON {
        try output.encoded(JSONLine.encode(message))
      } else {
        try output.line(message.line)
      }
    } catch {
      let action = state.withLock { state in
        state.failure = state.failure ?? CommandFailure(reporting: error)
        return state.whenFailing
      }
      action?()
    }
  }
}
