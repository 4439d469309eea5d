import DocumentPicker
import DocumentTypes
import FileCoordination
import Foundation
import LinuxSystem
import PortalPicker
import TerminalPicker

/// `filecoord pick`: the document picker, for users and scripts.
enum PickVerb: Verb {
  static let modes: [(name: String, mode: UIDocumentPickerMode)] = [
    ("import", .import), ("open", .open), ("export", .exportToService), ("move", .moveToService),
  ]

  private static let mode = OptionDescription(
    "mode",
    "m",
    argument: "MODE",
    "import, open, export or move (default open)"
  )
  private static let types = OptionDescription(
    "types",
    argument: "TYPES",
    "import, open: types or extensions with commas between (default: all)"
  )
  private static let multiple = OptionDescription(
    "multiple",
    nil,
    "import, open: several may be picked"
  )
  private static let provider = OptionDescription(
    "provider",
    argument: "ID",
    "begin with this provider"
  )
  private static let folder = OptionDescription(
    "folder",
    argument: "DIRECTORY",
    "begin in this directory"
  )
  private static let into = OptionDescription(
    "into",
    argument: "DIRECTORY",
    "import: where the copies go (default: the working directory)"
  )
  private static let portal = OptionDescription(
    "portal",
    nil,
    "show the desktop's own file dialog instead of the terminal's"
  )
  private static let bookmark = OptionDescription(
    "bookmark",
    nil,
    "open, move: print bookmarks in base64 instead of paths"
  )

  static let description = VerbDescription(
    "pick",
    ["[OPTION]...", "--mode=export|move [OPTION]... PATH..."],
    "has the user choose documents, or a place for some",
    options: [mode, types, multiple, provider, folder, into, portal, bookmark],
    details: """
      Prints the path of each picked item: import copies it, open leaves it where it is,
      export copies PATH to the place that is picked, move moves it there. On a terminal
      keys are used, elsewhere lines: what can be said is shown on standard error. With
      --portal, and on a display where standard input is /dev/null, the desktop shows its
      own file dialog, which knows no providers but the file system. All accesses are
      coordinated. The exit status is 1 if nothing was picked.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let name = try arguments.text(mode) ?? "open"
    guard let mode = modes.first(where: { $0.name == name })?.mode else {
      throw CommandFailure(.usage, "'\(name)' is no mode")
    }
    let sources = try arguments.operands.map { word in
      let path = try Operand.path(word)
      _ = try Operand.existing(path)
      return path.urlOnDisk
    }
    guard mode.picksItems == sources.isEmpty else {
      throw CommandFailure(
        .usage,
        mode.picksItems ? "'\(name)' takes no PATH" : "'\(name)' takes a PATH"
      )
    }
    let wanted = try wantedTypes(arguments)
    let start = try arguments.value(folder).map { try Operand.path($0).url(isDirectory: true) }
    let chosen = try arguments.text(provider).map { ProviderID(rawValue: $0) }
    if let chosen, !DocumentProviders.all.contains(where: { $0.provider.id == chosen }) {
      throw CommandFailure(.noSuchItem, "no provider '\(chosen)' is declared")
    }
    let frontEnd = try frontEnd(arguments, chosen)
    let target = try Operand.path(arguments.value(into) ?? FilePath("."))
    let result = try MainActor.assumeIsolated {
      let session = DocumentSession(frontEnd: frontEnd)
      let picker =
        mode.picksItems
        ? UIDocumentPickerViewController(forOpeningContentTypes: wanted, asCopy: mode == .import)
        : UIDocumentPickerViewController(urls: sources, in: mode)
      picker.allowsMultipleSelection = arguments.has(multiple)
      picker.shouldShowFileExtensions = true
      picker.directoryURL = start
      picker.initialProvider = chosen
      return try surroundings.interruption.during {
        try MainLoop.run {
          defer { session.close() }
          return try finish(await picker.pick(in: session), mode, target)
        }
      } onSignal: { _ in
        Task { @MainActor in picker.dismiss(animated: false) }
      }
    }
    try surroundings.interruption.check()
    for url in result {
      guard arguments.has(bookmark) else {
        try surroundings.output.path(Operand.path(url))
        continue
      }
      let data = try url.bookmarkData(options: URL.BookmarkCreationOptions.withSecurityScope)
      try surroundings.output.encoded(data.base64EncodedString())
    }
    return result.isEmpty ? .failure : .success
  }

  /// What shows the picker.
  private static func frontEnd(
    _ arguments: ParsedArguments,
    _ provider: ProviderID?
  ) throws -> any DocumentPickerFrontEnd {
    let isElsewhere = provider != nil && provider != .files
    if arguments.has(portal) {
      guard !isElsewhere else {
        throw CommandFailure(.usage, "the desktop's file dialog shows no providers")
      }
      return PortalFrontEnd()
    }
    return isOnDisplayAlone && !isElsewhere ? PortalFrontEnd() : TerminalFrontEnd()
  }

  /// Whether nobody can ever say a line, as where a desktop starts the command, but there is a display.
  private static var isOnDisplayAlone: Bool {
    let displays = ["DISPLAY", "WAYLAND_DISPLAY"].compactMap { Environment.value(of: $0) }
    // A stream that is closed has nothing to say either.
    guard displays.contains(where: { $0.count > 0 }),
      let null = try? FileStatus(of: FilePath("/dev/null"))
    else { return false }
    return (try? FileStatus(ofNumber: 0).isSameFile(as: null)) ?? true
  }

  /// The picked items, copies in their place.
  @MainActor private static func finish(
    _ result: DocumentPickerResult,
    _ mode: UIDocumentPickerMode,
    _ target: FilePath
  ) throws -> [URL] {
    switch result {
    case .cancelled: return []
    case .failed(let error): throw error
    case .picked(let urls):
      guard mode == .import else { return urls }
      return try urls.map { url in
        let copy = try Operand.path(url)
        let place = target.appending(Array(copy.lastComponent ?? []))
        let tree = TreeCopy(fidelity: .exact, check: {})
        do {
          try SafePlacement.place(at: place, replacing: false) { try tree.copy(copy, to: $0) }
        } catch let error as SystemError where error.code == .alreadyExists {
          throw CommandFailure(.cannotCreate, "\(place) is there already; see --into")
        }
        return place.urlOnDisk
      }
    }
  }

  private static func wantedTypes(_ arguments: ParsedArguments) throws -> [UTType] {
    guard let text = try arguments.text(types) else { return [.item, .content] }
    return try text.split(separator: ",").map { word in
      let name = String(word)
      if let type = UTType(name) ?? UTType(filenameExtension: name) { return type }
      throw CommandFailure(.usage, "'\(name)' is no type")
    }
  }
}
