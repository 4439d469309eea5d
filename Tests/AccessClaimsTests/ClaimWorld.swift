import AccessClaims
import CoordinationRuntime
import LinuxSystem
import struct Synchronization.Atomic
import TestSupport

/// A runtime directory and files of one test, and as many tables as it wants: two tables exclude each
/// other like two processes.
final class ClaimWorld: Sendable {
  let directory: TemporaryDirectory
  let runtime: FilePath
  let files: FilePath

  init() throws {
    directory = try TemporaryDirectory()
    runtime = directory.path.appending("runtime")
    files = directory.path.appending("files")
    try FileSystem.makeDirectory(runtime, mode: 0o700)
    try FileSystem.makeDirectory(files)
  }

  func path(_ name: String) -> FilePath { FilePath("\(files)/\(name)") }

  func table(budget: Int? = nil) throws -> ClaimTable {
    ClaimTable(
      runtime: try RuntimeDirectory(
        .init(path: runtime, isExplicit: true, isTemporary: false)
      ),
      budget: budget
    )
  }

  /// Makes directories, all that are missing.
  func makeDirectory(_ name: String) throws {
    var path = files
    for part in name.split(separator: "/") {
      path = path.appending(String(part))
      // What is missing cannot be looked at; nothing else is meant here.
      if (try? FileStatus(of: path)) == nil { try FileSystem.makeDirectory(path) }
    }
  }

  func makeFile(_ name: String, _ text: String = "") throws {
    try File(name, text).write(into: files)
  }

  func request(
    _ name: String,
    _ access: ClaimRequest.Access,
    purpose: String? = nil,
    limit: Duration? = nil,
    followsLink: Bool = false
  ) -> ClaimRequest {
    ClaimRequest(
      items: [.init(path: path(name), access: access, followsLink: followsLink)],
      purpose: .test(purpose),
      deadline: limit.map { MonotonicInstant.now + $0 }
    )
  }
}

extension Purpose {
  private static let count = Atomic<Int>(0)

  /// The named purpose, or one that nothing else has.
  static func test(_ name: String? = nil) -> Purpose {
    if let name { return Purpose(identifier: name, mayBeShared: true) }
    let number = count.add(1, ordering: .relaxed).newValue
    return Purpose(identifier: "test \(number)", mayBeShared: false)
  }
}

/// A claim that is made on a thread of its own, and what became of it.
final class Attempt: Sendable {
  enum State: Sendable {
    case waiting
    case granted(Claim)
    case failed(ClaimFailure)
  }

  let waiter = PlainWaiter()
  private let state = Mutex(State.waiting)

  init(_ table: ClaimTable, _ request: ClaimRequest, waiter: (any ClaimWaiter)? = nil) throws {
    try start(table, request, waiter ?? self.waiter)
  }

  private func start(_ table: ClaimTable, _ request: ClaimRequest, _ waiter: any ClaimWaiter) throws
  {
    try BlockingThread.start("attempt") {
      do {
        self.end(.granted(try table.acquire(request, waiter: waiter)))
      } catch let failure as ClaimFailure {
        self.end(.failed(failure))
      } catch {}
    }
  }

  private func end(_ result: State) { state.withLock { $0 = result } }

  var isWaiting: Bool {
    if case .waiting = state.withLock({ $0 }) { return true }
    return false
  }

  var claim: Claim? {
    if case .granted(let claim) = state.withLock({ $0 }) { return claim }
    return nil
  }

  var failure: ClaimFailure? {
    if case .failed(let failure) = state.withLock({ $0 }) { return failure }
    return nil
  }

  /// Waits until it is granted.
  @discardableResult
  func granted() async throws -> Claim {
    try await eventually("granted") {
      if let failure { throw failure }
      return claim != nil
    }
    guard let claim else { throw NotInTime("granted and gone") }
    return claim
  }

  /// Waits until it failed.
  func failed() async throws -> ClaimFailure {
    try await eventually("failed") { failure != nil }
    guard let failure else { throw NotInTime("failed and gone") }
    return failure
  }

  /// Whether it is still waiting after a short while.
  func keepsWaiting() async throws -> Bool { try await never { !isWaiting } }
}

extension ClaimTable {
  /// Claims without having to wait: fails at once where somebody is in the way.
  func now(_ request: ClaimRequest) throws -> Claim {
    var request = request
    request.deadline = MonotonicInstant.now
    return try acquire(request, waiter: PlainWaiter())
  }
}
