import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// Two processes that meet over one pair of accesses after the other.
final class Duel {
  let world: World
  let a: Peer
  let b: Peer
  private var round = 0

  init(@FileTreeBuilder _ items: () -> [any FileTreeItem]) async throws {
    world = try World(items)
    a = try await world.peer("A")
    b = try await world.peer("B")
  }

  /// A is in its accessor when B asks; whether B has to wait until A is done.
  func expect(
    _ first: Access,
    then second: Access,
    waits: Bool,
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    round += 1
    let tag = "\(round)"

    try a.start(tag, .access(first.then(.wait("go\(tag)"))))
    let entered = try await a.expect(tag, "began")
    try b.start(tag, .access(second))
    try await b.expect(tag, "calling")

    if waits {
      try await eventually("B waits, or is in") {
        try self.world.waiting() > 0 || !self.b.events(tag, "began").isEmpty
      }
      let stayed = try await b.stays(without: tag, "began")
      #expect(stayed, comment, sourceLocation: sourceLocation)
      try a.signal("go\(tag)")
      let left = try await a.expect(tag, "ended")
      let came = try await b.expect(tag, "began")
      #expect(left.time < came.time, comment, sourceLocation: sourceLocation)
    } else {
      let came = try await b.expect(tag, "began")
      #expect(a.events(tag, "ended").isEmpty, comment, sourceLocation: sourceLocation)
      #expect(entered.time < came.time, comment, sourceLocation: sourceLocation)
      try a.signal("go\(tag)")
    }
    try await a.expect(tag, "done")
    try await b.expect(tag, "done")
  }
}

extension Peer {
  /// What the presenter heard so far, in order; events carry what they say behind a blank.
  ///
  /// Everything that was queued for the presenter before this call has run when it returns.
  func messages(of presenter: String) async throws -> [String] {
    let fence = "fence-\(events().count)"
    try await run(fence, .onQueue(of: presenter, [.note("fence")]))
    return events(presenter).filter { Self.callbacks.contains($0.name) }
      .map { $0.text.isEmpty ? $0.name : "\($0.name) \($0.text)" }
  }

  /// The presenter heard exactly this so far, in this order.
  func expectMessages(
    of presenter: String,
    _ expected: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let heard = try await messages(of: presenter)
    #expect(heard == expected, sourceLocation: sourceLocation)
  }

  private static let callbacks = Set(PresenterScript.Callback.allCases.map(\.rawValue))

  /// Registers a presenter and waits until it is.
  func present(_ script: PresenterScript) async throws {
    try await run("present-\(script.name)", .present(script))
  }
}

/// The raw values of every reading option, and of none.
let readingOptions: [UInt] = [
  Reading.plain, Reading.withoutChanges, Reading.resolvesSymbolicLink, Reading.metadataOnly,
  Reading.forUploading,
]

/// The raw values of every writing option, and of none.
let writingOptions: [UInt] = [
  Writing.plain, Writing.forDeleting, Writing.forMoving, Writing.forMerging, Writing.forReplacing,
  Writing.metadataOnly,
]

/// What `cancel()` leaves as the error.
let cancelled = "NSCocoaErrorDomain 3072"
