import FileCoordination
package import FileProvider

/// Puts notes from the store into the shared folder, and what was written there into the store.
package final class NotesFileProvider: NSFileProviderExtension {
  private let store = NoteStore()

  /// Puts a placeholder for each note of the store into the shared folder that is not there yet.
  package func showAll() throws {
    for name in try store.names() {
      let url = documentStorageURL.appending(path: name)
      let placeholder = Self.placeholderURL(for: url)
      let manager = FileManager.default
      if !manager.fileExists(atPath: url.path), !manager.fileExists(atPath: placeholder.path) {
        try writePlaceholder(of: name, at: placeholder)
      }
    }
  }

  private func writePlaceholder(of name: String, at placeholder: URL) throws {
    guard let size = store.size(of: name) else {
      throw CocoaError(
        .fileReadNoSuchFile,
        userInfo: [NSLocalizedDescriptionKey: "there is no note “\(name)”"]
      )
    }
    try Self.writePlaceholder(
      at: placeholder,
      withMetadata: [.nameKey: name, .fileSizeKey: size, .isPackageKey: false]
    )
  }

  package override func providePlaceholder(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    completionHandler(
      error { try writePlaceholder(of: url.lastPathComponent, at: Self.placeholderURL(for: url)) }
    )
  }

  package override func startProvidingItem(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    completionHandler(error { try store.read(url.lastPathComponent).write(to: url) })
  }

  package override func itemChanged(at url: URL) {
    if let failure = error({ try upload(url) }) { Self.report(failure) }
  }

  package override func stopProvidingItem(at url: URL) {
    let failure = error {
      let name = url.lastPathComponent
      let text = try Data(contentsOf: url)
      if store.size(of: name) == nil { return }
      if try store.read(name) != text { try store.write(text, to: name) }
      try FileManager.default.removeItem(at: url)
      try writePlaceholder(of: name, at: Self.placeholderURL(for: url))
    }
    if let failure { Self.report(failure) }
  }

  /// Has the store say what the folder says.
  private func upload(_ url: URL) throws {
    guard url.pathExtension == Note.fileExtension else { return }
    let coordinator = NSFileCoordinator()
    coordinator.purposeIdentifier = providerIdentifier
    try coordinator.coordinate(readingItemAt: url, options: .withoutChanges) { url in
      let manager = FileManager.default
      if manager.fileExists(atPath: url.path) {
        try store.write(Data(contentsOf: url), to: url.lastPathComponent)
      } else if !manager.fileExists(atPath: Self.placeholderURL(for: url).path) {
        try store.remove(url.lastPathComponent)
      }
    }
  }

  private func error(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private static func report(_ error: any Error) {
    // Standard error is the log that the provider's users are pointed to.
    FileHandle.standardError.write(Data("notes-provider: \(error)\n".utf8))
  }
}
