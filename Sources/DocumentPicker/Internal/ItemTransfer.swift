import CoordinationRuntime
import DocumentTypes
import FileCoordination
import Foundation
import LinuxSystem
import ProviderLink
import SafeSaving

/// What import, open, export and move do to files.
///
/// Every access is coordinated. What is written is whole under a temporary name and flushed before it
/// gets its own; an original goes only after that.
struct ItemTransfer: Sendable {
  let mode: UIDocumentPickerMode
  let types: [UTType]
  let sources: [URL]

  // MARK: items that are there

  /// Refuses items that were not to be chosen, whoever gave them.
  func check(_ items: [URL], storage: FilePath?, isProvider: Bool) throws {
    for item in items {
      guard let path = FilePath(item) else { throw DocumentPickerError.notFileURL(item) }
      guard types.isEmpty || types.contains(where: { UTType(of: item).conforms(to: $0) }) else {
        throw DocumentPickerError.wrongType(item)
      }
      if isProvider, mode == .open {
        let place = try ItemResolver.shared.canonical(path, followingLink: false)
        guard let storage, place.isInside(storage) else {
          throw DocumentPickerError.urlOutsideStorage(item)
        }
      }
    }
  }

  /// Gives this process access to items where they are.
  func opened(_ items: [URL]) -> [URL] {
    for item in items { ScopeRegistry.shared.grant(item) }
    return items
  }

  /// Copies an item into a folder of ours, under its own name.
  func imported(_ item: URL, to folder: FilePath) async throws -> URL {
    let copy = folder.appending(Array(Self.name(of: item)))
    return try await BlockingWork.run {
      try NSFileCoordinator().coordinate(readingItemAt: item, options: .withoutChanges) { url in
        guard let path = FilePath(url) else { throw DocumentPickerError.notFileURL(url) }
        do throws(SystemError) { try Self.copy(path, to: copy, synchronizing: false) } catch {
          throw Self.failure(error, url)
        }
      }
      return copy.urlOnDisk
    }
  }

  // MARK: files of ours

  /// Copies or moves the sources to these places.
  func handOver(to places: [URL]) async throws -> [URL] {
    var results: [URL] = []
    for (source, place) in zip(sources, places) {
      guard let path = FilePath(place) else { throw DocumentPickerError.notFileURL(place) }
      if Placeholder.exists(path) { throw DocumentPickerError.destinationExists(place) }
      if mode == .moveToService {
        try await BlockingWork.run { try Self.move(source, to: place) }
        ScopeRegistry.shared.grant(place)
      } else {
        try await BlockingWork.run { try Self.export(source, to: place) }
      }
      results.append(place)
    }
    return results
  }

  /// The provider has taken the sources: looks whether that is so, and moves by removing the originals.
  func finish(_ urls: [URL], storage: FilePath?) async throws -> [URL] {
    try await BlockingWork.run { try verify(urls, storage) }
    guard mode == .moveToService else { return urls }
    for (source, url) in zip(sources, urls) {
      try await BlockingWork.run {
        try NSFileCoordinator().coordinate(writingItemAt: source, options: .forDeleting) {
          guard let path = FilePath($0), let copy = FilePath(url) else { return }
          // Written once more since the provider copied it: both stay.
          guard try TreeComparison.areEqual(path, copy) else {
            throw DocumentPickerError.contentMismatch(url)
          }
          try FileSystem.removeTree(path)
        }
      }
      ScopeRegistry.shared.grant(url)
    }
    return urls
  }

  /// Looks whether each source is where the provider says.
  private func verify(_ urls: [URL], _ storage: FilePath?) throws {
    for (source, url) in zip(sources, urls) {
      guard let path = FilePath(url), let original = FilePath(source) else {
        throw DocumentPickerError.notFileURL(url)
      }
      guard Placeholder.exists(path) else { throw DocumentPickerError.destinationMissing(url) }
      guard mode == .moveToService else { continue }
      let place = try ItemResolver.shared.canonical(path, followingLink: false)
      guard let storage, place.isInside(storage) else {
        throw DocumentPickerError.urlOutsideStorage(url)
      }
      let isSame = try ItemResolver.shared.canonical(original, followingLink: false) == place
      let hasSame = try TreeComparison.areEqual(original, path)
      guard !isSame, hasSame else { throw DocumentPickerError.contentMismatch(url) }
    }
  }

  private static func export(_ source: URL, to place: URL) throws {
    try NSFileCoordinator().coordinate(
      readingItemAt: source,
      options: [],
      writingItemAt: place,
      options: .forReplacing
    ) { from, to in
      guard let from = FilePath(from), let path = FilePath(to) else {
        throw DocumentPickerError.notFileURL(to)
      }
      try Self.place(from, at: path)
    }
  }

  private static func move(_ source: URL, to place: URL) throws {
    let coordinator = NSFileCoordinator()
    try coordinator.coordinate(
      writingItemAt: source,
      options: .forMoving,
      writingItemAt: place,
      options: .forReplacing
    ) { from, to in
      guard let old = FilePath(from), let new = FilePath(to) else {
        throw DocumentPickerError.notFileURL(to)
      }
      do throws(SystemError) {
        try FileSystem.rename(old, to: new, .noReplace)
      } catch {
        switch error.code {
        case .crossDevice, .invalid:
          try Self.place(old, at: new)
          guard try TreeComparison.areEqual(old, new) else {
            throw DocumentPickerError.contentMismatch(to)
          }
          try FileSystem.removeTree(old)
        case .alreadyExists: throw DocumentPickerError.destinationExists(to)
        default: throw Self.failure(error, from)
        }
      }
      coordinator.item(at: from, didMoveTo: to)
    }
  }

  /// A copy of an item under a name that nothing has, in one step.
  private static func place(_ source: FilePath, at target: FilePath) throws {
    let temporary = (target.parent ?? FilePath("/"))
      .appending(".sb-\(String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16))")
    do throws(SystemError) {
      try copy(source, to: temporary, synchronizing: true)
      try FreeName.give(target, to: temporary)
    } catch {
      // What could not be copied must not stay; that it stays is the smaller trouble.
      try? FileSystem.removeTree(temporary)
      if error.code == .alreadyExists { throw DocumentPickerError.destinationExists(target.url()) }
      throw failure(error, target.url())
    }
  }

  private static func copy(
    _ source: FilePath,
    to target: FilePath,
    synchronizing: Bool
  ) throws(SystemError) {
    var source = source
    // What a link leads to was meant.
    if try FileStatus(of: source).kind == .link { source = try FileSystem.realPath(source) }
    try FileSystem.duplicate(source, to: target)
    if synchronizing { try FileSystem.synchronizeTree(target) }
  }

  static func name(of item: URL) -> ArraySlice<UInt8> {
    FilePath(item)?.lastComponent ?? ArraySlice("document".utf8)
  }

  private static func failure(_ error: SystemError, _ url: URL) -> any Error {
    let code: CocoaError.Code =
      switch error.code {
      case .noEntry: .fileNoSuchFile
      case .permissionDenied, .notPermitted: .fileReadNoPermission
      case .noSpace, .quotaExceeded: .fileWriteOutOfSpace
      case .readOnlyFileSystem: .fileWriteVolumeReadOnly
      default: .fileWriteUnknown
      }
    return CocoaError(
      code,
      userInfo: [
        NSURLErrorKey: url, NSFilePathErrorKey: url.path,
        NSLocalizedDescriptionKey: error.description,
      ]
    )
  }
}
