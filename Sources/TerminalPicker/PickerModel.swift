package import DocumentPicker
import DocumentTypes
package import Foundation
import LinuxSystem

/// What a picker on a terminal shows, and what the user did so far; the same for lines and for keys.
///
/// Its methods block for as long as providers and directories take.
package struct PickerModel {
  package let request: SelectionRequest
  package private(set) var provider: DocumentProviderDescriptor
  package private(set) var page = ProviderPage()
  package private(set) var folder: URL?
  private var items: [FolderListing.Item] = []
  /// What names have to contain.
  package var filter = ""
  /// What is ticked, in the order of ticking.
  package private(set) var marked: [URL] = []
  /// What the file is called that is handed over; nil for several, which keep their names.
  package var name: String?
  /// What the user should know now.
  package var message = ""

  package init(_ request: SelectionRequest) throws {
    guard
      let first = request.providers.first(where: { $0.id == request.initialProvider })
        ?? request.providers.first
    else { throw DocumentPickerError.noProviderAvailable }
    self.request = request
    provider = first
    if request.sources.count == 1 { name = request.sources[0].lastPathComponent }
    try enter(first)
  }

  package var picksItems: Bool { request.mode.picksItems }

  /// What is asked of the user, in a line.
  package var title: String {
    switch request.mode {
    case .import: "Import a copy from \(provider.displayName)"
    case .open: "Open from \(provider.displayName)"
    case .exportToService: "Export a copy to \(provider.displayName)"
    case .moveToService: "Move to \(provider.displayName)"
    }
  }

  // MARK: going somewhere

  package mutating func enter(_ new: DocumentProviderDescriptor) throws {
    let page = try Self.wait(for: request.page, new.id)
    provider = new
    self.page = page
    folder = nil
    items = []
    marked = []
    filter = ""
    message = page.warning ?? ""
    if let start = page.folder { open(start) }
  }

  /// Shows a folder, if that can be.
  package mutating func open(_ url: URL) {
    do {
      items = try FolderListing(of: url).items
      folder = url
      filter = ""
    } catch let error as SystemError where error.code == .noEntry && url == page.folder {
      // A provider's folder that nobody has put anything in yet.
      folder = url
      items = []
    } catch {
      message = "\(url.path) cannot be shown: \(error)"
    }
  }

  package mutating func goUp() {
    guard let folder else { return }
    let above = folder.deletingLastPathComponent()
    guard page.mayLeaveFolder || folder.standardizedFileURL != page.folder?.standardizedFileURL
    else {
      message = "\(provider.displayName) shows nothing above this."
      return
    }
    if above.path != folder.path { open(above) }
  }

  package mutating func goHome() {
    if page.mayLeaveFolder { open(FileManager.default.homeDirectoryForCurrentUser) }
  }

  // MARK: choosing

  /// What is shown: folders, and what may be chosen.
  package var shown: [FolderListing.Item] {
    items.filter { item in
      guard item.isFolder || (picksItems && request.accepts(item.type)) else { return false }
      return filter.isEmpty || item.name.localizedCaseInsensitiveContains(filter)
    }
  }

  /// How an item is called here.
  package func label(_ item: FolderListing.Item) -> String {
    var name = item.name
    if !request.shouldShowFileExtensions, !item.isFolder,
      let dot = name.lastIndex(of: "."), dot > name.startIndex
    {
      name = String(name[..<dot])
    }
    if item.isFolder { name += "/" }
    if item.isPlaceholder { name += "  (not here yet)" }
    return name
  }

  package func isMarked(_ item: FolderListing.Item) -> Bool { marked.contains(item.url) }

  package mutating func toggle(_ item: FolderListing.Item) {
    guard picksItems, !item.isFolder else { return }
    if let index = marked.firstIndex(of: item.url) {
      marked.remove(at: index)
    } else if request.allowsMultipleSelection {
      marked.append(item.url)
    } else {
      marked = [item.url]
    }
  }

  /// Whether the folder that is shown may itself be chosen.
  package var acceptsFolder: Bool {
    picksItems && folder != nil && request.contentTypes.contains { UTType.folder.conforms(to: $0) }
  }

  /// The folder that is shown, as the choice.
  package var folderSelection: Selection? {
    guard acceptsFolder, let folder else { return nil }
    return .items(provider.id, [folder])
  }

  /// These items as the choice.
  package func selection(of items: [URL]) -> Selection { .items(provider.id, items) }

  /// Whether the user can agree: there is a place, or the provider's button.
  package var canConfirm: Bool {
    !picksItems && (page.confirmTitle != nil || page.folder != nil)
  }

  /// What the button says.
  package var confirmTitle: String {
    page.confirmTitle
      ?? (request.mode == .moveToService ? "Move here" : "Save here")
  }

  /// The place that is shown as the choice; nil, with a message, if it cannot be.
  package mutating func confirm() -> Selection? {
    guard canConfirm else {
      message = page.warning ?? "\(provider.displayName) does not take this."
      return nil
    }
    if page.confirmTitle != nil { return .confirmed(provider.id) }
    guard let folder else { return nil }
    var places: [URL] = []
    for source in request.sources {
      let name = name ?? source.lastPathComponent
      guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
        message = "“\(name)” is no name of a file."
        return nil
      }
      let place = folder.appending(path: name, directoryHint: .notDirectory)
      if FileManager.default.fileExists(atPath: place.path) {
        message = "“\(name)” is there already: choose another name or folder."
        return nil
      }
      places.append(place)
    }
    return .destinations(provider.id, places)
  }

  /// Waits, on a thread of ours, for what is asynchronous.
  private static func wait(
    for page: @escaping @Sendable (ProviderID) async throws -> ProviderPage,
    _ id: ProviderID
  ) throws -> ProviderPage {
    let parker = ThreadParker()
    let result = ResultBox()
    Task {
      do { result.set(.success(try await page(id))) } catch { result.set(.failure(error)) }
      parker.wake()
    }
    while true {
      if let found = result.value { return try found.get() }
      parker.wait(until: nil)
    }
  }

  private final class ResultBox: Sendable {
    private let state = Mutex<Result<ProviderPage, any Error>?>(nil)
    var value: Result<ProviderPage, any Error>? { state.withLock { $0 } }
    func set(_ value: Result<ProviderPage, any Error>) { state.withLock { $0 = value } }
  }
}
