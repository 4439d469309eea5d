import AccessClaims
import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

/// What others do to the runtime directory.
@Suite(.timeLimit(.minutes(3)), .serialized) struct RuntimeTests {
  private func lockFiles(_ world: ClaimWorld) throws -> [FilePath] {
    let nodes = world.runtime.appending("nodes")
    return try FileSystem.list(nodes).map { nodes.appending($0) }
  }

  @Test func `lock files that a stranger removed are made anew, by everybody`() async throws {
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    try one.now(world.request("f", .write)).release()
    try other.now(world.request("f", .write)).release()

    for file in try lockFiles(world) { try FileSystem.removeFile(file) }
    // A cached descriptor is looked at once a second.
    try await eventually("the removal was noticed") {
      try one.now(world.request("f", .write)).release()
      return try !self.lockFiles(world).isEmpty
    }
    try await eventually("both lock the same file") {
      let first = try one.now(world.request("f", .write))
      defer { first.release() }
      guard let second = try? other.now(world.request("f", .write)) else { return true }
      second.release()
      return false
    }
  }

  @Test func `a removed lock file that is held is replaced when its holders have ended`()
    async throws
  {
    let world = try ClaimWorld()
    let table = try world.table()
    let reading = try table.now(world.request("f", .read))
    for file in try lockFiles(world) { try FileSystem.removeFile(file) }

    let writer = try Attempt(table, world.request("f", .write))
    #expect(try await writer.keepsWaiting())
    reading.release()

    try await writer.granted()
    #expect(throws: ClaimFailure.self) { try world.table().now(world.request("f", .read)) }
    writer.claim?.release()
  }

  @Test func `claims inside one whose lock files were removed get in`() async throws {
    let world = try ClaimWorld()
    let table = try world.table()
    let outer = try table.now(world.request("f", .write))
    for file in try lockFiles(world) { try FileSystem.removeFile(file) }

    for access in [ClaimRequest.Access.read, .write] {
      let nested = try Nested(outer, table, world.request("f", access))
      try await nested.granted()
      nested.end()
    }
    outer.release()
    try await Attempt(table, world.request("f", .write)).granted().release()
  }

  @Test func `a read whose lock file was removed cannot become a write and does not wait`()
    async throws
  {
    let world = try ClaimWorld()
    let table = try world.table()
    let outer = try table.now(world.request("f", .read, purpose: "p"))
    for file in try lockFiles(world) { try FileSystem.removeFile(file) }

    let nested = try Nested(outer, table, world.request("f", .write, purpose: "p"))

    guard case .changedDuringUpgrade = try await nested.failed() else {
      Issue.record("not refused but \(String(describing: nested.failure))")
      return
    }
    outer.release()
    try await Attempt(table, world.request("f", .write)).granted().release()
  }

  @Test func `who inherits the gate of a removed lock file goes over to the new one`() async throws
  {
    let world = try ClaimWorld()
    let table = try world.table()
    let reading = try table.now(world.request("f", .read))
    let cancelled = try Attempt(table, world.request("f", .write))
    #expect(try await cancelled.keepsWaiting())
    let behind = try Attempt(table, world.request("f", .write))
    #expect(try await behind.keepsWaiting())
    try FileSystem.rename(world.runtime, to: world.directory.path.appending("gone"))
    let other = try world.table()
    // A slow path sees that the directory was replaced.
    let slow = try table.now(world.request("g", .write))
    let waiting = try Attempt(table, world.request("g", .write))
    #expect(try await waiting.keepsWaiting())
    slow.release()
    try await waiting.granted().release()

    cancelled.waiter.cancel()
    _ = try await cancelled.failed()
    reading.release()

    try await behind.granted()
    #expect(throws: ClaimFailure.self) { try other.now(world.request("f", .read)) }
    behind.claim?.release()
  }

  @Test func `the janitor removes what nobody holds and nothing else`() throws {
    let world = try ClaimWorld()
    let (table, other) = (try world.table(), try world.table())
    for name in 0..<20 { try table.now(world.request("f\(name)", .write)).release() }
    let held = try table.now(world.request("held", .write))

    let removed = try Janitor(table.runtime).clean(limit: 4)

    #expect(removed > 10)
    #expect(throws: ClaimFailure.self) { try other.now(world.request("held", .read)) }
    held.release()
    // Every removed one is found dead and made anew.
    for name in 0..<20 {
      let claim = try table.now(world.request("f\(name)", .write))
      #expect(throws: ClaimFailure.self) { try other.now(world.request("f\(name)", .read)) }
      claim.release()
    }
  }

  @Test func `a runtime directory that was replaced is noticed by whoever waits`() async throws {
    let world = try ClaimWorld()
    let table = try world.table()
    try table.now(world.request("f", .write)).release()

    try FileSystem.rename(world.runtime, to: world.directory.path.appending("gone"))
    let other = try world.table()
    let holder = try other.now(world.request("f", .write))

    // Ours still locks the old files; the link count is the same there. A slow path compares.
    let slow = try table.now(world.request("g", .write))
    let waiting = try Attempt(table, world.request("g", .write))
    #expect(try await waiting.keepsWaiting())
    slow.release()
    try await waiting.granted().release()
    #expect(throws: ClaimFailure.self) { try table.now(world.request("f", .write)) }
    holder.release()
    try table.acquire(world.request("f", .write), waiter: PlainWaiter()).release()
  }

  @Test func `a runtime directory that was deleted is made anew`() async throws {
    let world = try ClaimWorld()
    let table = try world.table()
    try table.now(world.request("f", .write)).release()

    try FileSystem.removeTree(world.runtime)

    try await eventually("claims exclude in the new one") {
      let claim = try table.acquire(world.request("f", .write), waiter: PlainWaiter())
      defer { claim.release() }
      return (try? world.table().now(world.request("f", .write))) == nil
    }
  }

  @Test(arguments: ["link", "fifo", "directory", "hard link"])
  func `what is planted where a lock file belongs is refused and left alone`(_ what: String) throws
  {
    // I16.
    let world = try ClaimWorld()
    let table = try world.table()
    try table.now(world.request("f", .write)).release()
    let before = try Set(lockFiles(world))
    let victim = world.path("victim")
    try world.makeFile("victim", "precious")
    for file in before {
      try FileSystem.removeFile(file)
      switch what {
      case "link": try FileSystem.makeLink(file, to: victim)
      case "fifo": try FileSystem.makePipe(file)
      case "directory": try FileSystem.makeDirectory(file)
      default: try FileSystem.makeHardLink(file, to: victim)
      }
    }

    #expect(throws: ClaimFailure.self) {
      try world.table().acquire(world.request("f", .write), waiter: PlainWaiter())
    }
    let kept = try Descriptor.open(victim, .readOnly)
    #expect(String(decoding: try kept.readToEnd(), as: UTF8.self) == "precious")
  }

  @Test func `nothing is ever made beside the document`() throws {
    // I08, I18.
    let world = try ClaimWorld()
    try world.makeDirectory("d")
    let table = try world.table()
    for access in [ClaimRequest.Access.read, .write, .structuralWrite, .movingWrite] {
      try table.now(world.request("d/f", access)).release()
    }

    #expect(try FileSystem.list(world.files) == [Array("d".utf8)])
    #expect(try FileSystem.list(world.path("d")).isEmpty)
  }

  @Test func `a kernel without locks gives a clear error`() async throws {
    // I09.
    let world = try ClaimWorld()
    let peer = try await ClaimPeer(world)
    for code in [37, 38, 95] {  // ENOLCK, ENOSYS, EOPNOTSUPP
      try peer.tell("fault flock \(code)")
      try await peer.expect("flock forced")
      try peer.tell("acquire a r:\(world.path("f"))")
      let text = try await peer.expect("a failed")
      #expect(text.contains("does not lock"))
    }
    try peer.tell("acquire a r:\(world.path("f"))")
    try await peer.expect("a granted")
  }

  @Test func `a process without descriptors gives everything back and says so`() async throws {
    let world = try ClaimWorld()
    let peer = try await ClaimPeer(world)
    try peer.tell("limit x 12")
    try peer.tell("acquire a w:\(world.path("a/b/c/d/e/f/g/h/i/j/k/l/m"))")
    let text = try await peer.expect("a failed")
    #expect(text.contains("no file descriptor is left"))

    try peer.tell("limit x 200")
    try peer.tell("acquire b w:\(world.path("a/b/c/d/e/f/g/h/i/j/k/l/m"))")
    try await peer.expect("b granted")
  }

  @Test func `a small budget of descriptors is kept to`() throws {
    let world = try ClaimWorld()
    let table = try world.table(budget: 24)
    for name in 0..<200 { try table.now(world.request("f\(name)", .write)).release() }

    #expect(table.cachedDescriptorCount <= 24 + 16)
    let claim = try table.now(world.request("f0", .write))
    #expect(throws: ClaimFailure.self) { try world.table().now(world.request("f0", .read)) }
    claim.release()
  }
}
