import DocumentTypes
import FileCoordination
import Foundation
import LinuxSystem

/// One showing of a picker: who can be chosen from, what the user chose, and what becomes of it.
@MainActor final class PickerOperation {
  private let mode: UIDocumentPickerMode
  private let types: [UTType]
  private let identifiers: [String]?
  private let sources: [URL]
  private let session: DocumentSession
  private let bound: ProviderID?
  private let pages: ProviderPages

  init(
    mode: UIDocumentPickerMode,
    types: [UTType],
    identifiers: [String]?,
    sources: [URL],
    session: DocumentSession,
    bound: ProviderID?
  ) {
    self.mode = mode
    self.types = types
    self.identifiers = identifiers
    self.sources = sources
    self.session = session
    self.bound = bound
    pages = ProviderPages(mode: mode, identifiers: identifiers, sources: sources)
  }

  func run(
    multiple: Bool,
    extensions: Bool,
    folder: URL?,
    isWanted: @MainActor () -> Bool
  ) async throws -> DocumentPickerResult {
    if !mode.picksItems {
      guard !sources.isEmpty else { throw DocumentPickerError.emptySourceList }
      for source in sources where !source.isFileURL { throw DocumentPickerError.notFileURL(source) }
    }
    let wanted = mode.picksItems ? types : sources.map { UTType(of: $0) }
    var providers = DocumentProviders.providers(mode: mode, types: wanted)
    if let bound, let descriptor = DocumentProviders.descriptor(of: bound),
      !providers.contains(descriptor)
    {
      providers.append(descriptor)
    }
    guard
      let initial = bound
        ?? DocumentProviders.mostRecentlyUsed(mode: mode, among: providers)
    else { throw DocumentPickerError.noProviderAvailable }
    let start = folder ?? DocumentProviders.lastFolder(of: .files)
    let request = SelectionRequest(
      mode: mode,
      contentTypes: types,
      sources: sources,
      allowsMultipleSelection: multiple,
      shouldShowFileExtensions: extensions,
      startDirectory: start,
      providers: providers,
      initialProvider: initial,
      page: { [pages] id in try await pages.page(of: id, startingIn: start) }
    )
    let selection: Selection
    do { selection = try await session.frontEnd.select(request) } catch {
      // Who put it away has dismissed the front end.
      if isWanted() { await session.frontEnd.dismiss() }
      throw error
    }
    guard isWanted() else { return .cancelled }
    await session.frontEnd.dismiss()
    return try await carryOut(selection, isWanted)
  }

  private func carryOut(
    _ selection: Selection,
    _ isWanted: @MainActor () -> Bool
  ) async throws -> DocumentPickerResult {
    let transfer = ItemTransfer(mode: mode, types: types, sources: sources)
    switch selection {
    case .cancelled: return .cancelled
    case .items(let id, let items):
      guard mode.picksItems, !items.isEmpty else { throw DocumentPickerError.emptySourceList }
      var granted: [URL] = []
      for item in items {
        guard let url = try await pages.select(item, of: id) else { return .cancelled }
        granted.append(url)
      }
      guard isWanted() else { return .cancelled }
      try transfer.check(granted, storage: pages.storage(of: id), isProvider: id != .files)
      let results =
        try await mode == .import ? imported(granted, transfer) : transfer.opened(granted)
      note(id, items.first?.deletingLastPathComponent())
      return .picked(results)
    case .destinations(let id, let places):
      guard !mode.picksItems, places.count == sources.count else {
        throw DocumentPickerError.emptySourceList
      }
      let results = try await transfer.handOver(to: places)
      note(id, places.first?.deletingLastPathComponent())
      return .picked(results)
    case .confirmed(let id):
      guard !mode.picksItems else { throw DocumentPickerError.emptySourceList }
      guard let urls = try await pages.confirm(id) else { return .cancelled }
      // Put away while the provider was at it: its copy stays, and so does the original.
      guard isWanted() else { return .cancelled }
      let results = try await transfer.finish(urls, storage: pages.storage(of: id))
      note(id, nil)
      return .picked(results)
    }
  }

  private func imported(_ items: [URL], _ transfer: ItemTransfer) async throws -> [URL] {
    var copies: [URL] = []
    for item in items { copies.append(try await transfer.imported(item, to: session.nextFolder())) }
    return copies
  }

  private func note(_ id: ProviderID, _ folder: URL?) {
    do { try DocumentProviders.noteUse(of: id, mode: mode, folder: folder) } catch {
      // The next picker begins elsewhere; what was picked is picked.
      Diagnostics.report("the use of “\(id)” is not remembered: \(error)")
    }
  }
}
