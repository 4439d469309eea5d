import DesktopPortal
import DocumentPicker
import DocumentTypes
import FileCoordination
import Foundation
import LinuxSystem

/// A picker's request as one of the portal's, and the portal's answer as places.
struct PortalDialog {
  var request: FileChooser.Request
  /// What the sources were to be called, for several of them.
  private let names: [[UInt8]]

  init(_ selection: SelectionRequest) {
    names = SavedNames.distinct(selection.sources.map { FilePath($0)?.lastComponent ?? [] })
    let mode: FileChooser.Mode
    if selection.mode.picksItems {
      mode = .open(
        severalFiles: selection.allowsMultipleSelection,
        folders: Self.wantsFolders(selection.contentTypes)
      )
    } else if names.count == 1, let name = String(validating: names[0], as: UTF8.self) {
      mode = .save(name: name)
    } else {
      // A name that is no text can be given as bytes only here.
      mode = .saveSeveral(names: names)
    }
    let verb =
      switch selection.mode {
      case .import: "Import"
      case .open: "Open"
      case .exportToService: "Export"
      case .moveToService: "Move"
      }
    request = FileChooser.Request(mode, title: verb)
    request.acceptLabel = "_\(verb)"
    request.currentFolder = selection.startDirectory
    if case .open(_, folders: false) = mode {
      request.filters = Self.filter(selection.contentTypes).map { [$0] } ?? []
    }
  }

  /// Whether nothing but folders may be chosen: a dialog shows either them or files.
  private static func wantsFolders(_ types: [UTType]) -> Bool {
    !types.isEmpty && types.allSatisfy { $0.conforms(to: .directory) && !$0.conforms(to: .package) }
  }

  private static func filter(_ types: [UTType]) -> FileChooser.Filter? {
    guard let patterns = UTType.filePatterns(of: types) else { return nil }
    let names = types.map { $0.preferredFilenameExtension ?? $0.identifier }
    return FileChooser.Filter(
      names.joined(separator: ", "),
      patterns.mimeTypes.map { .mimeType($0) }
        + patterns.extensions.map(FileChooser.Filter.glob(forExtension:))
    )
  }

  /// Where the sources go, with the names that the dialog's bugs spoiled put right.
  func places(_ urls: [URL]) -> [URL] {
    guard case .saveSeveral = request.mode, urls.count == names.count else { return urls }
    return zip(urls, names).map { url, name in
      guard let path = FilePath(url) else { return url }
      return SavedNames.repaired(path, asked: name).url()
    }
  }

  /// The name of a place that something is at, or that two of them share.
  static func taken(_ places: [URL]) -> String? {
    var seen: Set<FilePath> = []
    for place in places {
      guard let path = FilePath(place) else { continue }
      if !seen.insert(path).inserted || FileSystem.exists(path) { return place.lastPathComponent }
    }
    return nil
  }
}
