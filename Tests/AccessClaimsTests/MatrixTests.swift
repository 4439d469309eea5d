import AccessClaims
import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

/// spec/coordination.md section 2: who waits for whom, in one process and between two.
@Suite(.timeLimit(.minutes(3))) struct MatrixTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let statement: String
    let first: (String, ClaimRequest.Access)
    let second: (String, ClaimRequest.Access)
    let waits: Bool
    var testDescription: String { statement }

    init(
      _ statement: String,
      _ first: (String, ClaimRequest.Access),
      _ second: (String, ClaimRequest.Access),
      waits: Bool
    ) {
      self.statement = statement
      self.first = first
      self.second = second
      self.waits = waits
    }
  }

  static let cases: [Case] = [
    Case("1: read, read", ("d/f", .read), ("d/f", .read), waits: false),
    Case("2: write, read", ("d/f", .write), ("d/f", .read), waits: true),
    Case("3: read, write", ("d/f", .read), ("d/f", .write), waits: true),
    Case("3: write, write", ("d/f", .write), ("d/f", .write), waits: true),
    Case("3: write, delete", ("d/f", .write), ("d/f", .structuralWrite), waits: true),
    Case("4: write inside, read of directory", ("d/f", .write), ("d", .read), waits: false),
    Case("5: write inside, plain write of directory", ("d/f", .write), ("d", .write), waits: false),
    Case(
      "6: write inside, delete of directory",
      ("d/f", .write),
      ("d", .structuralWrite),
      waits: true
    ),
    Case("6: write inside, move of directory", ("d/f", .write), ("d", .movingWrite), waits: true),
    Case("7: read inside, move of directory", ("d/f", .read), ("d", .movingWrite), waits: true),
    Case("8: move of directory, read inside", ("d", .movingWrite), ("d/f", .read), waits: true),
    Case("9: read of directory, write inside", ("d", .read), ("d/f", .write), waits: false),
    Case("9: write of directory, write inside", ("d", .write), ("d/f", .write), waits: false),
    Case(
      "10: replacing directory, read inside",
      ("d", .structuralWrite),
      ("d/f", .read),
      waits: true
    ),
    Case("11: siblings", ("d/f", .write), ("d/g", .write), waits: false),
    Case("12: in one package", ("K.pkg/a", .write), ("K.pkg/b", .read), waits: true),
    Case("13: package and inside, read", ("K.pkg/a", .read), ("K.pkg", .read), waits: false),
    Case("13: package and inside, write", ("K.pkg/a", .write), ("K.pkg", .read), waits: true),
    Case("14: package, its directory", ("K.pkg/a", .write), ("", .read), waits: false),
    Case(
      "14: package, delete of its directory",
      ("K.pkg/a", .write),
      ("", .structuralWrite),
      waits: true
    ),
    Case(
      "15: move of a file, read of a sibling",
      ("d/f", .movingWrite),
      ("d/g", .read),
      waits: false
    ),
    Case("15: move of a file, read of it", ("d/f", .movingWrite), ("d/f", .read), waits: true),
    Case("deep", ("d", .structuralWrite), ("d/e/x/y", .read), waits: true),
    Case("missing parents", ("new/a/b", .write), ("new/a/b", .read), waits: true),
    Case(
      "missing parents, structural",
      ("new/a/b", .write),
      ("new", .structuralWrite),
      waits: true
    ),
  ]

  @Test(arguments: cases, [true, false])
  func `the later claim waits exactly where the matrix says so`(
    _ test: Case,
    inOneProcess: Bool
  ) async throws {
    let world = try ClaimWorld()
    try world.makeDirectory("d/e/x")
    try world.makeDirectory("K.pkg")
    try world.makeFile("d/f")
    let one = try world.table()
    let other = inOneProcess ? one : try world.table()
    let first = try one.now(world.request(test.first.0, test.first.1))

    let second = try Attempt(other, world.request(test.second.0, test.second.1))

    if test.waits {
      #expect(try await second.keepsWaiting())
      first.release()
    }
    try await second.granted().release()
    first.release()
  }

  @Test func `a directory whose name has a dot is no package`() throws {
    let world = try ClaimWorld()
    try world.makeDirectory("my.project")
    let table = try world.table()

    let a = try table.now(world.request("my.project/a", .write))
    let b = try table.now(world.request("my.project/b", .write))

    #expect(a.grants[0].identity.packages.isEmpty)
    #expect(b.grants[0].identity.claimed == world.path("my.project/b"))
  }

  @Test func `the outermost package is what is claimed`() throws {
    let world = try ClaimWorld()
    try world.makeDirectory("O.pkg/I.rtfd")
    let table = try world.table()

    let claim = try table.now(world.request("O.pkg/I.rtfd/text", .read))

    #expect(claim.grants[0].identity.claimed == world.path("O.pkg"))
    #expect(claim.grants[0].identity.packages == [world.path("O.pkg"), world.path("O.pkg/I.rtfd")])
  }

  @Test func `an attribute set under a structural write makes a package for the next claim`() throws
  {
    let world = try ClaimWorld()
    try world.makeDirectory("d")
    let (one, other) = (try world.table(), try world.table())
    try one.now(world.request("d/a", .write)).release()

    let marking = try other.now(world.request("d", .structuralWrite))
    try FileSystem.setAttribute("user.file-package", to: [1], of: world.path("d"))
    marking.release()
    let claim = try one.now(world.request("d/a", .write))

    #expect(claim.grants[0].identity.claimed == world.path("d"))
  }

  @Test func `two spellings through links exclude each other`() throws {
    let world = try ClaimWorld()
    try world.makeDirectory("real")
    try FileSystem.makeLink(world.path("link"), to: world.path("real"))
    let (one, other) = (try world.table(), try world.table())

    let first = try one.now(world.request("link/f", .write))

    #expect(throws: ClaimFailure.self) { try other.now(world.request("real/f", .write)) }
    #expect(throws: ClaimFailure.self) {
      try other.now(world.request("real/./../real//f/", .write))
    }
    #expect(first.grants[0].path == world.path("link/f"))
    #expect(first.grants[0].identity.item == world.path("real/f"))
  }

  @Test func `a link is an item of its own unless it is followed`() throws {
    // Statement 49.
    let world = try ClaimWorld()
    try world.makeFile("target")
    try FileSystem.makeLink(world.path("link"), to: FilePath("target"))
    let table = try world.table()

    let target = try table.now(world.request("target", .write))
    let link = try table.now(world.request("link", .write))
    link.release()

    #expect(throws: ClaimFailure.self) {
      try table.now(world.request("link", .write, followsLink: true))
    }
    target.release()
    let followed = try table.acquire(
      world.request("link", .write, followsLink: true),
      waiter: PlainWaiter()
    )
    #expect(followed.grants[0].path == world.path("target"))
  }

  @Test func `a link that is turned while a claim is cached is noticed`() throws {
    let world = try ClaimWorld()
    try world.makeDirectory("one")
    try world.makeDirectory("two")
    try FileSystem.makeLink(world.path("link"), to: FilePath("one"))
    let table = try world.table()
    try table.now(world.request("link/f", .read)).release()

    try FileSystem.removeFile(world.path("link"))
    try FileSystem.makeLink(world.path("link"), to: FilePath("two"))

    #expect(
      try table.now(world.request("link/f", .read)).grants[0].identity.item
        == world.path("two/f")
    )
  }

  @Test func `a directory that is replaced by a link while a claim is cached is noticed`() throws {
    let world = try ClaimWorld()
    try world.makeDirectory("d")
    try world.makeDirectory("other")
    let table = try world.table()
    try table.now(world.request("d/f", .read)).release()

    try FileSystem.removeDirectory(world.path("d"))
    try FileSystem.makeLink(world.path("d"), to: FilePath("other"))

    #expect(
      try table.now(world.request("d/f", .read)).grants[0].identity.item == world.path("other/f")
    )
  }

  @Test func `names that are not UTF-8 are kept as they are`() throws {
    let world = try ClaimWorld()
    let path = world.files.appending([0xff, 0xfe, 0x61])
    let table = try world.table()

    let claim = try table.acquire(
      ClaimRequest(items: [.init(path: path, access: .write)], purpose: .test()),
      waiter: PlainWaiter()
    )

    #expect(claim.grants[0].path == path)
    #expect(claim.grants[0].identity.item == path)
  }
}
