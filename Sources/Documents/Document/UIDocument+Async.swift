public import Foundation

// The same operations for tasks. They call the forms with a completion handler, so that an override
// of those is honoured, and run where they are called.
extension UIDocument {
  /// Reads the document; see ``open(completionHandler:)``.
  ///
  /// A task that is cancelled meanwhile gets false.
  @discardableResult
  nonisolated(nonsending) public func open() async -> Bool { await openCancellably() }

  /// With the caller's isolation as a parameter, because the closure would be run elsewhere without.
  private func openCancellably(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    let core = core
    return await withTaskCancellationHandler {
      _ = isolation
      return await withCheckedContinuation { continuation in
        open { continuation.resume(returning: $0) }
      }
    } onCancel: {
      core.with { values in
        if values.openings > 0 { values.openIsCancelled = true }
      }
    }
  }

  /// Saves what is unsaved and lets go of the item; see ``close(completionHandler:)``.
  @discardableResult
  nonisolated(nonsending) public func close() async -> Bool {
    await withCheckedContinuation { continuation in
      close { continuation.resume(returning: $0) }
    }
  }

  /// Writes the document; see ``save(to:for:completionHandler:)``.
  @discardableResult
  nonisolated(nonsending) public func save(
    to url: URL,
    for saveOperation: SaveOperation
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      save(to: url, for: saveOperation) { continuation.resume(returning: $0) }
    }
  }

  /// Saves if there are unsaved changes; see ``autosave(completionHandler:)``.
  @discardableResult
  nonisolated(nonsending) public func autosave() async -> Bool {
    await withCheckedContinuation { continuation in
      autosave { continuation.resume(returning: $0) }
    }
  }

  /// Throws unsaved changes away and reads again; see ``revert(toContentsOf:completionHandler:)``.
  @discardableResult
  nonisolated(nonsending) public func revert(toContentsOf url: URL) async -> Bool {
    await withCheckedContinuation { continuation in
      revert(toContentsOf: url) { continuation.resume(returning: $0) }
    }
  }

  // MARK: Not in Apple's interface: the same, with the reason of a failure

  /// Reads the document.
  ///
  /// - Throws: why it could not be read; `CocoaError.userCancelled` if it was closed meanwhile.
  nonisolated(nonsending) public func openOrThrow() async throws { try check(await open()) }

  /// Saves what is unsaved and lets go of the item.
  ///
  /// - Throws: why unsaved changes could not be saved.
  nonisolated(nonsending) public func closeOrThrow() async throws { try check(await close()) }

  /// Writes the document.
  ///
  /// - Throws: why it was not written.
  nonisolated(nonsending) public func saveOrThrow(
    to url: URL,
    for saveOperation: SaveOperation
  ) async throws {
    try check(await save(to: url, for: saveOperation))
  }

  /// Reads the document again.
  ///
  /// - Throws: why it could not be read.
  nonisolated(nonsending) public func revertOrThrow(toContentsOf url: URL) async throws {
    try check(await revert(toContentsOf: url))
  }

  private func check(_ success: Bool) throws {
    guard !success else { return }
    throw lastError ?? CocoaError(.fileReadUnknown)
  }
}
