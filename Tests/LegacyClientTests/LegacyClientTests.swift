import FileCoordination
import Foundation
import Testing

/// Clients in the older spelling work, not only compile.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct LegacyClientTests {
  private func makeFile() throws -> URL {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("fc-\(UUID().uuidString)")
    try "text".write(to: url, atomically: false, encoding: .utf8)
    return url
  }

  @Test func `an old presenter is asked and told`() throws {
    let file = try makeFile()
    defer { try? FileManager.default.removeItem(at: file) }
    let presenter = OldDirectoryPresenter(url: file)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    presenter.presentedItemOperationQueue = queue
    NSFileCoordinator.addFilePresenter(presenter)
    defer { NSFileCoordinator.removeFilePresenter(presenter) }

    var error: NSError?
    NSFileCoordinator(filePresenter: nil).coordinate(
      writingItemAt: file,
      options: .forMerging,
      error: &error
    ) { url in
      try? "new".write(to: url, atomically: false, encoding: .utf8)
    }
    queue.waitUntilAllOperationsAreFinished()

    #expect(error == nil)
    #expect(try String(contentsOf: file, encoding: .utf8) == "new")
    // The notice, then the reacquirer.
    #expect(presenter.changes == 2)
  }

  @Test func `an old presenter's own coordinator leaves it alone`() throws {
    let file = try makeFile()
    defer { try? FileManager.default.removeItem(at: file) }
    let presenter = OldPresenter(url: file)
    let queue = OperationQueue()
    presenter.presentedItemOperationQueue = queue
    NSFileCoordinator.addFilePresenter(presenter)
    defer { NSFileCoordinator.removeFilePresenter(presenter) }

    let error: NSErrorPointer = nil
    NSFileCoordinator(filePresenter: presenter).coordinate(
      writingItemAt: file,
      options: [],
      error: error
    ) { url in
      try? "new".write(to: url, atomically: false, encoding: .utf8)
    }
    queue.waitUntilAllOperationsAreFinished()

    #expect(presenter.changes == 0)
  }

  @Test func `a client's own throwing forms are the ones that are called`() throws {
    let file = try makeFile()
    defer { try? FileManager.default.removeItem(at: file) }

    #expect(try Wrapped.use(file) == "21")
    #expect(Wrapped.calls == 4)
  }

  @Test func `an override may spell the error's pointer as Apple's compiler does`() throws {
    let file = try makeFile()
    defer { try? FileManager.default.removeItem(at: file) }
    let spy = SpyCoordinator(filePresenter: nil)
    var error: NSError?

    spy.coordinate(writingItemAt: file, options: .forDeleting, error: &error) { _ in
      Issue.record("must not run")
    }

    #expect(spy.writes == [.forDeleting])
    #expect(error?.code == 3072)
  }
}
