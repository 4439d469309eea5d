package import Foundation
import LinuxSystem
import SessionBus

/// The user's own file dialog, through the desktop portal.
///
/// - SeeAlso: org.freedesktop.portal.FileChooser
package struct FileChooser: Sendable {
  static let interface = "org.freedesktop.portal.FileChooser"

  /// What the user may pick from.
  package struct Filter: Sendable, Equatable {
    package enum Pattern: Sendable, Equatable {
      case mimeType(String)
      /// As `*.txt`; compared letter by letter, so see ``Filter/glob(forExtension:)``.
      case glob(String)
    }
    package var name: String
    package var patterns: [Pattern]
    package init(_ name: String, _ patterns: [Pattern]) {
      self.name = name
      self.patterns = patterns
    }

    /// A pattern for names with this extension in whatever case.
    package static func glob(forExtension text: String) -> Pattern {
      .glob(
        "*."
          + text.map { letter in
            let (low, high) = (letter.lowercased(), letter.uppercased())
            return low == high || low.count != 1 || high.count != 1
              ? String(letter) : "[\(low)\(high)]"
          }.joined()
      )
    }

    var value: BusValue {
      .tuple([
        .string(name),
        .array(
          type: "(us)",
          patterns.map { pattern in
            switch pattern {
            case .glob(let text): .tuple([.uint32(0), .string(text)])
            case .mimeType(let text): .tuple([.uint32(1), .string(text)])
            }
          }
        ),
      ])
    }

    init?(_ value: BusValue) {
      guard let parts = value.elements, parts.count == 2, let name = parts[0].text,
        let patterns = parts[1].elements
      else { return nil }
      self.name = name
      self.patterns = patterns.compactMap { pattern in
        guard let parts = pattern.elements, parts.count == 2, let text = parts[1].text else {
          return nil
        }
        return parts[0].number == 0 ? .glob(text) : .mimeType(text)
      }
    }
  }

  /// A choice beside the files: a box to tick, or a list.
  package struct Choice: Sendable, Equatable {
    package var id: String
    package var label: String
    /// Empty: a box to tick, whose values are `true` and `false`.
    package var options: [(id: String, label: String)]
    package var initial: String
    package init(
      _ id: String,
      _ label: String,
      options: [(id: String, label: String)] = [],
      initial: String = ""
    ) {
      self.id = id
      self.label = label
      self.options = options
      self.initial = initial
    }
    package static func == (a: Choice, b: Choice) -> Bool {
      a.id == b.id && a.label == b.label && a.initial == b.initial
        && a.options.elementsEqual(b.options) { $0 == $1 }
    }
    var value: BusValue {
      .tuple([
        .string(id), .string(label),
        .array(type: "(ss)", options.map { .tuple([.string($0.id), .string($0.label)]) }),
        .string(initial),
      ])
    }
  }

  /// What is asked for.
  package enum Mode: Sendable, Equatable {
    case open(severalFiles: Bool = false, folders: Bool = false)
    /// One file, under a name that the user may change.
    case save(name: String)
    /// Several files into one folder; names are bytes as files have them.
    case saveSeveral(names: [[UInt8]])
  }

  package struct Request: Sendable {
    package var mode: Mode
    package var title: String
    /// The text of the button; `_` marks the key.
    package var acceptLabel: String?
    package var filters: [Filter] = []
    package var currentFilter: Filter?
    package var choices: [Choice] = []
    /// Where the dialog starts.
    ///
    /// Portals before 1.18 follow it in saving only.
    package var currentFolder: URL?
    /// `x11:<number>`, `wayland:<handle>`, or nothing.
    package var parentWindow = ""
    package var isModal = true
    package init(_ mode: Mode, title: String) {
      self.mode = mode
      self.title = title
    }
  }

  package struct Answer: Sendable, Equatable {
    package let urls: [URL]
    package let choices: [String: String]
    package let filter: Filter?
  }

  private let client: PortalClient

  package init(_ client: PortalClient) { self.client = client }

  /// Which version of the interface there is; nil: none.
  ///
  /// Starts the portal where it can be started. Suspends until it has answered.
  package func version() async -> Int? { await client.version(of: Self.interface) }

  /// Shows the dialog and waits for the user; nil: the user wants none.
  ///
  /// Filters are the user's to change: look at what comes back. Saving makes no file.
  /// - Throws: ``PortalError``; `CancellationError` after the dialog was closed for a cancelled task.
  package func run(_ request: Request, token: String = PortalClient.token()) async throws -> Answer?
  {
    let (method, options) = try Self.message(for: request)
    let response = try await client.run(
      Self.interface,
      method,
      [.string(request.parentWindow), .string(request.title)],
      options: options,
      token: token
    )
    switch response {
    case .done(let results): return try Self.answer(results, to: request)
    case .cancelled: return nil
    case .ended:
      if await client.hasBackend() { return nil }
      throw PortalError.missing(
        "the desktop portal runs, but no program of the desktop that would show its dialogs: its "
          + "backend is not installed (for GTK: Debian package xdg-desktop-portal-gtk), or finds no "
          + "display"
      )
    }
  }

  /// What keeps file dialogs from being shown, and what to do about it; nil: nothing that is known.
  ///
  /// Starts the portal where it can be started. Suspends until it has answered.
  package func missingPart() async -> String? {
    do throws(BusError) {
      _ = try await client.versionQuestion(Self.interface)
      return nil
    } catch {
      switch error.kind {
      case .noService:
        return "there is no desktop portal on the session bus (Debian package xdg-desktop-portal): "
          + "\(error)"
      case .unknownMethod, .invalidArgument:
        return "the desktop portal has no file dialogs: no backend that has some is installed for "
          + "this desktop (for GTK: Debian package xdg-desktop-portal-gtk): \(error)"
      default: return "\(error)"
      }
    }
  }

  static func message(
    for request: Request
  ) throws(PortalError) -> (method: String, options: [String: BusValue]) {
    var options: [String: BusValue] = ["modal": .bool(request.isModal)]
    if let label = request.acceptLabel { options["accept_label"] = .string(label) }
    let isSaveSeveral = if case .saveSeveral = request.mode { true } else { false }
    // An empty name or list is an error at the other end.
    let filters = request.filters.filter { !$0.name.isEmpty && !$0.patterns.isEmpty }
    if !filters.isEmpty, !isSaveSeveral {
      options["filters"] = .array(type: "(sa(us))", filters.map(\.value))
      if let current = request.currentFilter, filters.contains(current) {
        options["current_filter"] = current.value
      }
    }
    if !request.choices.isEmpty {
      options["choices"] = .array(type: "(ssa(ss)s)", request.choices.map(\.value))
    }
    if let folder = request.currentFolder {
      guard let path = FilePath(ofFileURL: folder.absoluteString) else {
        throw .nonsense("\(folder) is not the URL of a folder")
      }
      options["current_folder"] = .terminated(path.bytes)
    }
    switch request.mode {
    case .open(let several, let folders):
      options["multiple"] = .bool(several)
      if folders { options["directory"] = .bool(true) }
      return ("OpenFile", options)
    case .save(let name):
      options["current_name"] = .string(name)
      return ("SaveFile", options)
    case .saveSeveral(let names):
      options["files"] = .array(type: "ay", names.map { .terminated($0) })
      return ("SaveFiles", options)
    }
  }

  static func answer(
    _ results: [String: BusValue],
    to request: Request
  ) throws(PortalError) -> Answer {
    let texts = (results["uris"]?.elements ?? []).compactMap(\.text)
    var urls: [URL] = []
    for text in texts {
      // An escaped NUL would cut the path off where nobody sees it.
      guard text.hasPrefix("file:///"), !text.contains("%00"),
        let path = FilePath(ofFileURL: text), path.isAbsolute
      else {
        throw .nonsense("the file dialog answered with “\(text)”, which is not the URL of a file")
      }
      let isFolder = if case .open(_, folders: true) = request.mode { true } else { false }
      guard let url = URL(string: path.fileURLText(isDirectory: isFolder)) else {
        throw .nonsense("the file dialog answered with “\(text)”")
      }
      urls.append(url)
    }
    if urls.isEmpty { throw .nonsense("the file dialog answered without a file") }
    if case .saveSeveral(let names) = request.mode, names.count != urls.count {
      throw .nonsense("the file dialog gave \(urls.count) names for \(names.count) files")
    }
    var choices: [String: String] = [:]
    for pair in results["choices"]?.elements ?? [] {
      if let parts = pair.elements, parts.count == 2, let id = parts[0].text {
        choices[id] = parts[1].text
      }
    }
    return Answer(
      urls: urls,
      choices: choices,
      filter: results["current_filter"].flatMap(Filter.init)
    )
  }
}
