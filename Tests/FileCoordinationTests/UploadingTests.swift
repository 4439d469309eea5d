import Foundation
import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// Snapshots for uploading: statement 50, field case A17.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct UploadingTests {
  @Test func `statement 50: a directory becomes one zip file, gone after the accessor`()
    async throws
  {
    let world = try World { Directory("d") { File("f", "text") } }
    let peer = try await world.peer("A")
    try peer.start(
      "1",
      .access(.read(world.path("d"), Reading.forUploading, .exists(""), .wait("go")))
    )
    let began = try await peer.expect("1", "began")
    #expect(peer.events("1", "exists").allSatisfy { $0.text == "yes" })
    #expect(began.text != world.path("d"))
    let entries = try ZipListing(of: FilePath(began.text)).entries
    #expect(entries.contains { $0.name.hasSuffix("f") })

    try peer.signal("go")
    try await peer.expect("1", "done")

    #expect(throws: SystemError.self) { try FileStatus(of: FilePath(began.text)) }
    #expect(try world.contents("d/f") == "text")
  }

  @Test func `statement 50: moved away inside the accessor it stays`() async throws {
    let world = try World { Directory("d") { File("f", "text") } }
    let peer = try await world.peer("A")
    let kept = world.path("kept.zip")

    try await peer.run(
      "1",
      .access(
        .read(world.path("d"), Reading.forUploading, .move("", to: kept, announced: false))
      )
    )

    #expect(peer.events("1", "done").count == 1)
    #expect(try !ZipListing(of: FilePath(kept)).entries.isEmpty)
  }

  @Test func `a plain file becomes a copy that later writes do not touch`() async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    try duel.a.start("1", .access(.read(f, Reading.forUploading, .wait("go"), .get(""))))
    let began = try await duel.a.expect("1", "began")
    #expect(began.text != f)

    try await duel.b.run("1", .access(.write(f, 0, .put("", "later"))))
    try duel.a.signal("go")

    try await duel.a.expect("1", "done")
    #expect(duel.a.events("1", "text").map(\.text) == ["text"])
  }

  @Test func `presenters are asked to save before the snapshot is made`() async throws {
    let pair = try await Pair { File("f", "old") }
    let f = pair.world.path("f")
    try await pair.p.present(
      PresenterScript("P", f).on(
        .save,
        [.access(.write(f, 0, .put("", "saved")).presenter("P"))]
      )
    )

    try await pair.a.run("1", .access(.read(f, Reading.forUploading, .get(""))))

    #expect(pair.a.events("1", "text").map(\.text) == ["saved"])
  }

  @Test func `field case A17: links are kept as links, wherever they point`() async throws {
    let world = try World {
      Directory("K.pkg") {
        File("f", "text")
        Link("relative", to: "f")
        Link("dangling", to: "nowhere")
        Link("outside", to: "/etc/passwd")
      }
    }
    let peer = try await world.peer("A")
    try peer.start("1", .access(.read(world.path("K.pkg"), Reading.forUploading, .wait("go"))))
    let began = try await peer.expect("1", "began")

    let entries = try ZipListing(of: FilePath(began.text)).entries
    for name in ["relative", "dangling", "outside"] {
      let entry = try #require(entries.first { $0.name.hasSuffix(name) })
      #expect(entry.isLink, "\(name)")
    }
    let file = try #require(entries.first { $0.name.hasSuffix("/f") || $0.name == "f" })
    #expect(!file.isLink)

    try peer.signal("go")
    try await peer.expect("1", "done")
    #expect(try world.list("K.pkg") == ["dangling", "f", "outside", "relative"])
  }

  @Test func `a missing item is an error and the accessor is not run`() async throws {
    let world = try World {}
    let peer = try await world.peer("A")

    try await peer.run("1", .access(.read(world.path("none"), Reading.forUploading)))

    #expect(peer.events("1", "began").isEmpty)
    #expect(peer.events("1", "failed").count == 1)
  }
}
