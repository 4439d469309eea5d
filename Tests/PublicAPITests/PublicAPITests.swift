import FileCoordination
import Foundation
import Testing

/// Touches every public member once: an accidental renaming fails to build.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PublicAPITests {
  private let place = Place()

  @Test func `options have the raw values of Apple's`() {
    let reading: [NSFileCoordinator.ReadingOptions] = [
      .withoutChanges, .resolvesSymbolicLink, .immediatelyAvailableMetadataOnly, .forUploading,
    ]
    let writing: [NSFileCoordinator.WritingOptions] = [
      .forDeleting, .forMoving, .forMerging, .forReplacing, .contentIndependentMetadataOnly,
    ]

    #expect(reading.map(\.rawValue) == [1, 2, 4, 8])
    #expect(writing.map(\.rawValue) == [1, 2, 4, 8, 16])
  }

  @Test func `the blocking forms run their accessors and leave the error alone`() {
    let file = place.file("text")
    let coordinator = NSFileCoordinator(filePresenter: nil)
    let none: NSErrorPointer = nil
    var error: NSError?
    var ran = 0

    coordinator.coordinate(readingItemAt: file, error: &error) { _ in ran += 1 }
    coordinator.coordinate(readingItemAt: file, options: .withoutChanges, error: nil) { _ in
      ran += 1
    }
    coordinator.coordinate(writingItemAt: file, options: .forMerging, error: none) { _ in ran += 1 }
    coordinator.coordinate(readingItemAt: file, writingItemAt: file, error: &error) { _, _ in
      ran += 1
    }
    coordinator.coordinate(writingItemAt: file, writingItemAt: file, error: &error) { _, _ in
      ran += 1
    }
    coordinator.prepare(forReadingItemsAt: [file], writingItemsAt: [file], error: &error) { done in
      ran += 1
      done()
    }

    #expect(ran == 6)
    #expect(error == nil)
  }

  @Test func `a URL that is no file sets the error and runs nothing`() throws {
    let url = try #require(URL(string: "https://example.org/x"))
    var error: NSError?

    NSFileCoordinator().coordinate(readingItemAt: url, error: &error) { _ in
      Issue.record("must not run")
    }

    #expect(error?.domain == NSCocoaErrorDomain)
  }

  @Test func `the throwing forms return what the accessor returns and throw what it throws`()
    throws
  {
    let file = place.file("text")
    let coordinator = NSFileCoordinator()

    let text = try coordinator.coordinate(readingItemAt: file, options: []) {
      try String(contentsOf: $0, encoding: .utf8)
    }
    let number = try coordinator.coordinate(writingItemAt: file, timeout: .seconds(30)) { _ in 7 }
    let pair = try coordinator.coordinate(readingItemAt: file, writingItemAt: file) { [$0, $1] }
    let other = try coordinator.coordinate(writingItemAt: file, writingItemAt: file) { [$0, $1] }

    #expect(text == "text")
    #expect(number == 7)
    #expect(pair.count + other.count == 4)
    #expect(throws: Refusal.self) {
      try coordinator.coordinate(writingItemAt: file) { _ in throw Refusal() }
    }
  }

  @Test func `the suspending forms do likewise`() async throws {
    let file = place.file("text")
    let coordinator = NSFileCoordinator()

    let text = try await coordinator.coordinate(readingItemAt: file, timeout: .seconds(30)) { url in
      await Task.yield()
      return try String(contentsOf: url, encoding: .utf8)
    }
    let number = try await coordinator.coordinate(writingItemAt: file) { _ in
      await Task.yield()
      return 7
    }
    let both = try await coordinator.coordinate(
      with: [.readingIntent(with: file), .writingIntent(with: file)]
    ) {
      await Task.yield()
      return 8
    }

    #expect(text == "text")
    #expect(number + both == 15)
    await #expect(throws: Refusal.self) {
      try await coordinator.coordinate(writingItemAt: file) { _ in
        await Task.yield()
        throw Refusal()
      }
    }
  }

  @Test func `intents are coordinated on the queue that was given`() async {
    let file = place.file("text")
    let reading = NSFileAccessIntent.readingIntent(with: file, options: .withoutChanges)
    let writing = NSFileAccessIntent.writingIntent(with: file, options: .forMerging)
    let queue = OperationQueue()

    let error: (any Error)? = await withCheckedContinuation { continuation in
      NSFileCoordinator().coordinate(with: [reading, writing], queue: queue) {
        continuation.resume(returning: $0)
      }
    }

    #expect(error == nil)
    #expect(reading.url.path == file.path)
    #expect(writing.url.path == file.path)
  }

  @Test func `moves and attributes can be announced, a coordinator can be cancelled`() {
    let file = place.file("text")
    let new = place.url.appendingPathComponent("new")
    let coordinator = CountingCoordinator()
    var error: NSError?

    coordinator.coordinate(writingItemAt: file, options: .forMoving, error: &error) { url in
      coordinator.item(at: url, willMoveTo: new)
      coordinator.item(at: url, didMoveTo: url)
      coordinator.item(at: url, didChangeUbiquityAttributes: [.isDirectoryKey])
    }
    coordinator.cancel()
    coordinator.coordinate(readingItemAt: file, error: &error) { _ in
      Issue.record("must not run")
    }

    #expect(coordinator.calls == 2)
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == CocoaError.userCancelled.rawValue)
  }

  @Test func `presenters of every spelling can be added and removed`() async {
    let file = place.file("text")
    let presenters: [any NSFilePresenter] = [
      LazyQueuePresenter(file), WholePresenter(), AsyncPresenter(),
      await MainActorPresenter(),
    ]

    for presenter in presenters { NSFileCoordinator.addFilePresenter(presenter) }
    let added = NSFileCoordinator.filePresenters
    for presenter in presenters { NSFileCoordinator.removeFilePresenter(presenter) }

    for presenter in presenters {
      #expect(added.contains { $0 === presenter })
      #expect(!NSFileCoordinator.filePresenters.contains { $0 === presenter })
    }
  }

  @Test func `a presenter that removes itself in deinit is gone with its last owner`() {
    let file = place.file("text")
    do {
      let presenter = SelfRemovingPresenter(file)
      #expect(NSFileCoordinator.filePresenters.contains { $0 === presenter })
    }

    #expect(!NSFileCoordinator.filePresenters.contains { $0 is SelfRemovingPresenter })
  }

  @Test func `the defaults mean not implemented`() async throws {
    let presenter = LazyQueuePresenter(nil)
    var answers = 0

    presenter.relinquishPresentedItem(toReader: { if $0 == nil { answered() } })
    presenter.relinquishPresentedItem(toWriter: { if $0 == nil { answered() } })
    try await presenter.savePresentedItemChanges()
    try await presenter.accommodatePresentedItemDeletion()
    try await presenter.accommodatePresentedSubitemDeletion(at: place.url)
    answers += 1
    await #expect(throws: (any Error).self) {
      try await presenter.accommodatePresentedItemEviction()
    }

    #expect(answers == 1)
    #expect(!presenter.observedPresentedItemUbiquityAttributes.isEmpty)
    #expect(presenter.primaryPresentedItemURL == nil)
  }

  @Test func `actors use every form`() async throws {
    let file = place.file("text")
    let store = Store()

    #expect(try await store.load(file) == "text")
    try await store.save(file)
    #expect(try await store.loadAwaiting(file) == "text")
  }

  /// Code that was written for blocking calls is put into tasks as it is.
  @Test func `a presenter is asked though tasks block every thread that tasks have`() async {
    let file = place.file("text")
    let presenter = LazyQueuePresenter(file)
    NSFileCoordinator.addFilePresenter(presenter)
    defer { NSFileCoordinator.removeFilePresenter(presenter) }
    let count = ProcessInfo.processInfo.activeProcessorCount * 3

    let granted = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<count {
        group.addTask {
          var error: NSError?
          if index.isMultiple(of: 2) {
            NSFileCoordinator().coordinate(readingItemAt: file, error: &error) { _ in }
          } else {
            NSFileCoordinator().coordinate(
              writingItemAt: file,
              options: .forReplacing,
              error: &error
            ) { _ in }
          }
          return error == nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }

    #expect(granted == count)
  }

  @Test func `the limit for presenters can be read and set`() {
    let before = NSFileCoordinator.presenterTimeLimit
    NSFileCoordinator.presenterTimeLimit = .seconds(5)
    #expect(NSFileCoordinator.presenterTimeLimit == .seconds(5))
    NSFileCoordinator.presenterTimeLimit = before
  }

  @Test func `an error of ours says what, where and why`() throws {
    let url = try #require(URL(string: "https://example.org/x"))
    do {
      try NSFileCoordinator().coordinate(writingItemAt: url) { _ in
        Issue.record("must not run")
        return
      }
      Issue.record("must throw")
    } catch let error as CoordinationError {
      #expect(error.code == .itemUnreachable)
      #expect(error.url == url)
      #expect(error.isWriting)
      #expect(!error.message.isEmpty)
      #expect(error.errorDescription == error.message)
      #expect(error.description == error.message)
      #expect(error.nsError.code == error.cocoaCode.rawValue)
      _ = error.cause
    }
  }
}

private struct Refusal: Error {}

private func answered() {}

/// A directory of one test, removed at its end; plain Foundation, as a client would.
private final class Place {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("fc-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch { Issue.record(error) }
  }

  // What cannot be removed is left to the system's cleaner.
  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ text: String) -> URL {
    let file = url.appendingPathComponent(UUID().uuidString)
    do { try text.write(to: file, atomically: false, encoding: .utf8) } catch {
      Issue.record(error)
    }
    return file
  }
}
