import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// What presenters hear after an access: statements 40 to 44 and 46, field cases B02 and B03.
///
/// Statement 45 is about versions, which are not there yet.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct NoticeTests {
  @Test func `statement 40: a write is told to the item's and the directory's presenters`()
    async throws
  {
    let pair = try await Pair { Directory("d") { File("f", "text") } }
    let f = pair.world.path("d/f")
    try await pair.p.present(PresenterScript("F", f))
    try await pair.p.present(PresenterScript("D", pair.world.path("d")))
    try await pair.p.present(PresenterScript("root", pair.world.files.description))

    try await pair.a.run("1", .access(.write(f, 0, .put("", "new"))))

    try await pair.p.expectMessages(of: "F", ["relinquishToWriter", "changed", "reacquire"])
    try await pair.p.expectMessages(of: "D", ["subChanged \(f)"])
    try await pair.p.expectMessages(of: "root", ["subChanged \(f)"])
  }

  @Test func `who was stopped hears what strangers did after an access, too`() async throws {
    let pair = try await Pair { Directory("d") { File("f", "text") } }
    let (d, f, h) = (pair.world.path("d"), pair.world.path("d/f"), pair.world.path("d/h"))
    try await pair.p.present(PresenterScript("D", d))
    pair.p.send(.stop)

    try await pair.a.run(
      "1",
      .access(.write(f, Writing.forMoving, .move("", to: h, announced: true)))
    )
    try FileSystem.removeFile(FilePath(h))
    _ = try Descriptor.open(FilePath(f), [.writeOnly, .create])
    pair.p.resume()

    try await pair.p.expectMessages(
      of: "D",
      ["subMoved \(f) \(h)", "subAppeared \(f)", "subChanged \(h)"]
    )
  }

  @Test func `statement 40: a read is told to nobody`() async throws {
    let pair = try await Pair { Directory("d") { File("f", "text") } }
    let f = pair.world.path("d/f")
    try await pair.p.present(PresenterScript("F", f))
    try await pair.p.present(PresenterScript("D", pair.world.path("d")))

    try await pair.a.run("1", .access(.read(f, Reading.withoutChanges, .get(""))))

    try await pair.p.expectMessages(of: "F", ["relinquishToReader", "reacquire"])
    try await pair.p.expectMessages(of: "D", [])
  }

  @Test func `ruling 5: a write that changed nothing is told all the same`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("F", f))

    try await pair.a.run("1", .access(.write(f)))

    try await pair.p.expectMessages(of: "F", ["relinquishToWriter", "changed", "reacquire"])
  }

  @Test func `statement 41: a new file is told to the directory's presenter`() async throws {
    let pair = try await Pair { Directory("d") }
    let new = pair.world.path("d/new")
    try await pair.p.present(PresenterScript("D", pair.world.path("d")))

    try await pair.a.run("1", .access(.write(new, 0, .put("", "text"))))

    try await pair.p.expectMessages(of: "D", ["subAppeared \(new)"])
  }

  @Test func `statement 42: didChange stands in where no method for items inside is there`()
    async throws
  {
    let pair = try await Pair {
      Directory("d") { File("f", "text") }
      Directory("K.pkg") { File("a", "text") }
    }
    try await pair.p.present(
      PresenterScript("K", pair.world.path("K.pkg")).implementing([])
    )
    try await pair.p.present(PresenterScript("D", pair.world.path("d")).implementing([]))

    try await pair.a.run("1", .access(.write(pair.world.path("K.pkg/a"), 0, .put("", "new"))))
    try await pair.a.run("2", .access(.write(pair.world.path("d/f"), 0, .put("", "new"))))

    // Ruling 4: for an ordinary directory as well.
    try await pair.p.expectMessages(of: "K", ["changed"])
    try await pair.p.expectMessages(of: "D", ["changed"])
  }

  @Test func `statement 43: a move is told first, the reacquirer comes after the accessor`()
    async throws
  {
    let pair = try await Pair { Directory("d") { File("f", "text") } }
    let (f, h) = (pair.world.path("d/f"), pair.world.path("d/h"))
    try await pair.p.present(PresenterScript("P", f))
    try await pair.p.present(PresenterScript("D", pair.world.path("d")))

    try await pair.a.run(
      "1",
      .access(.write(f, Writing.forMoving, .move("", to: h, announced: true)))
    )

    let heard = try await pair.p.messages(of: "P")
    #expect(heard.filter { $0 != "changed" } == ["relinquishToWriter", "moved \(h)", "reacquire"])
    try await pair.p.expectMessages(of: "D", ["subMoved \(f) \(h)"])
    let ended = try #require(pair.a.events("1", "ended").first)
    let again = try #require(pair.p.events("P", "reacquire").first)
    #expect(ended.time < again.time)
  }

  @Test func `statement 44: moving a directory tells each inside its own new URL`() async throws {
    let pair = try await Pair { Directory("d") { Directory("s") { File("f", "text") } } }
    let (d, e) = (pair.world.path("d"), pair.world.path("e"))
    try await pair.p.present(PresenterScript("P", "\(d)/s/f"))
    try await pair.p.present(PresenterScript("D", d))

    try await pair.a.run(
      "1",
      .access(.write(d, Writing.forMoving, .move("", to: e, announced: true)))
    )

    let inside = try await pair.p.messages(of: "P").filter { $0 != "changed" }
    #expect(inside == ["relinquishToWriter", "moved \(e)/s/f", "reacquire"])
    #expect(try await pair.p.messages(of: "D").contains("moved \(e)"))
  }

  @Test func `statement 46: a deletion is told as a change of the deleted URL`() async throws {
    let pair = try await Pair { Directory("d") { File("f", "text") } }
    let f = pair.world.path("d/f")
    try await pair.p.present(PresenterScript("D", pair.world.path("d")))

    try await pair.a.run("1", .access(.write(f, Writing.forDeleting, .delete(""))))

    try await pair.p.expectMessages(of: "D", ["subChanged \(f)"])
  }

  @Test func `field case B03: a presenter hears nothing of its own write, echoes included`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.p.run("1", .access(.write(f, 0, .put("", "new")).presenter("P")))

    #expect(try await pair.p.stays(without: "P", "changed", for: .seconds(1)))
    try await pair.p.expectMessages(of: "P", [])
  }

  @Test func `field case B03: of a write for nobody it hears exactly once`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.p.run("1", .access(.write(f, 0, .put("", "new"))))

    try await pair.p.expect("P", "changed")
    #expect(try await pair.p.stays(without: "P", "changed", for: .seconds(1)))
    try await pair.p.expectMessages(of: "P", ["relinquishToWriter", "changed", "reacquire"])
  }

  @Test func `field case B02: whatever is implemented, each write is told exactly once`()
    async throws
  {
    let optional: [PresenterScript.Callback] = [
      .relinquishToReader, .relinquishToWriter, .save, .accommodate,
    ]
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    for mask in 0..<16 {
      let set = Set(optional.enumerated().filter { mask >> $0.offset & 1 == 1 }.map(\.element))
      let (p, q) = ("P\(mask)", "Q\(mask)")
      try await pair.a.present(PresenterScript(p, f).implementing(set))
      try await pair.p.present(PresenterScript(q, f).implementing(set))

      try await pair.a.run(p + "w", .access(.write(f, 0, .put("", "1")).presenter(p)))
      try await pair.p.run(q + "w", .access(.write(f, 0, .put("", "2")).presenter(q)))

      let heardByP = try await pair.a.messages(of: p).filter { $0 == "changed" }
      let heardByQ = try await pair.p.messages(of: q).filter { $0 == "changed" }
      #expect(heardByP.count == 1, "\(set)")
      #expect(heardByQ.count == 1, "\(set)")
      try await pair.a.run(p + "x", .withdraw(p))
      try await pair.p.run(q + "x", .withdraw(q))
    }
  }
}
