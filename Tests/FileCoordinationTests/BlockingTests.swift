import PeerScript
import TestSupport
import Testing

/// Who waits for whom: statements 1 to 11 and 15, between two processes.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct BlockingTests {
  private func duel() async throws -> (Duel, d: String, f: String, g: String) {
    let duel = try await Duel {
      Directory("d") {
        File("f", "text")
        File("g", "text")
      }
    }
    return (duel, duel.world.path("d"), duel.world.path("d/f"), duel.world.path("d/g"))
  }

  @Test func `statement 1: readers of one file do not wait for each other`() async throws {
    let (duel, _, f, _) = try await duel()

    try await duel.expect(.read(f), then: .read(f), waits: false)
  }

  @Test func `statement 2: a reader with any option waits for a writer`() async throws {
    let (duel, _, f, _) = try await duel()

    for options in readingOptions {
      try await duel.expect(.write(f), then: .read(f, options), waits: true, "options \(options)")
    }
  }

  @Test func `statement 3: a writer with any option waits for a reader and for a writer`()
    async throws
  {
    let (duel, _, f, _) = try await duel()

    for options in writingOptions {
      try await duel.expect(.read(f), then: .write(f, options), waits: true, "options \(options)")
      try await duel.expect(.write(f), then: .write(f, options), waits: true, "options \(options)")
    }
  }

  @Test func `statement 4: a reader of a directory does not wait for a writer inside`()
    async throws
  {
    let (duel, d, f, _) = try await duel()

    for options in readingOptions where options != Reading.forUploading {
      try await duel.expect(.write(f), then: .read(d, options), waits: false, "options \(options)")
    }
  }

  @Test func `statement 5: a plain writer of a directory does not wait for a writer inside`()
    async throws
  {
    let (duel, d, f, _) = try await duel()

    for options in [Writing.plain, Writing.forMerging, Writing.metadataOnly] {
      try await duel.expect(.write(f), then: .write(d, options), waits: false, "options \(options)")
    }
  }

  @Test func `statement 6: who deletes, moves or replaces a directory waits for a writer inside`()
    async throws
  {
    let (duel, d, f, _) = try await duel()

    for options in [Writing.forDeleting, Writing.forMoving, Writing.forReplacing] {
      try await duel.expect(.write(f), then: .write(d, options), waits: true, "options \(options)")
    }
  }

  @Test func `statement 7: who moves a directory waits for a reader inside`() async throws {
    let (duel, d, f, _) = try await duel()

    try await duel.expect(.read(f), then: .write(d, Writing.forMoving), waits: true)
  }

  @Test func `statement 8: a reader inside waits for who moves the directory`() async throws {
    let (duel, d, f, _) = try await duel()

    try await duel.expect(.write(d, Writing.forMoving), then: .read(f), waits: true)
    try await duel.expect(.write(d, Writing.forDeleting), then: .read(f), waits: true)
  }

  @Test func `statement 9: nobody inside waits for a reader or plain writer of the directory`()
    async throws
  {
    let (duel, d, f, _) = try await duel()

    try await duel.expect(.read(d), then: .read(f), waits: false)
    try await duel.expect(.read(d), then: .write(f), waits: false)
    try await duel.expect(.write(d), then: .read(f), waits: false)
    try await duel.expect(.write(d), then: .write(f), waits: false)
  }

  @Test func `statement 10: a reader inside waits for who replaces the directory`() async throws {
    let (duel, d, f, _) = try await duel()

    try await duel.expect(.write(d, Writing.forReplacing), then: .read(f), waits: true)
  }

  @Test func `statement 11: writers of two files of a directory do not wait for each other`()
    async throws
  {
    let (duel, _, f, g) = try await duel()

    try await duel.expect(.write(f), then: .write(g), waits: false)
    try await duel.expect(
      .write(f, Writing.forDeleting),
      then: .write(g, Writing.forMoving),
      waits: false
    )
  }

  @Test func `statement 15: moving a plain file counts as writing it`() async throws {
    let (duel, d, f, g) = try await duel()
    let moving = Access.write(f, Writing.forMoving)

    try await duel.expect(moving, then: .read(f), waits: true)
    try await duel.expect(moving, then: .write(f), waits: true)
    try await duel.expect(moving, then: .read(d), waits: false)
    try await duel.expect(moving, then: .write(d), waits: false)
    try await duel.expect(moving, then: .write(g), waits: false)
    try await duel.expect(moving, then: .write(d, Writing.forMoving), waits: true)
    try await duel.expect(.read(d), then: moving, waits: false)
    try await duel.expect(.write(d), then: moving, waits: false)
  }

  @Test func `a structural writer of a directory excludes all inside at any depth`() async throws {
    let (duel, d, _, _) = try await duel()
    let deep = duel.world.path("d/not/yet/there")

    try await duel.expect(.write(d, Writing.forDeleting), then: .write(deep), waits: true)
    try await duel.expect(.write(deep), then: .write(d, Writing.forDeleting), waits: true)
    try await duel.expect(
      .write(d, Writing.forMoving),
      then: .write(d, Writing.forReplacing),
      waits: true
    )
  }
}
