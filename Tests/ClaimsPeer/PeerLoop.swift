import AccessClaims
import CoordinationRuntime
import LinuxSystem

/// Carries out commands: `VERB TAG WORDS…`, each acquisition on a thread of its own.
///
/// `acquire TAG r:/path w:/path … [purpose=X] [limit=MS] [inherit] [stay] [within=TAG]` makes a
/// claim; `within` makes it inside the accessor of another, on that one's thread. `release`,
/// `cancel`, `ask`, `answer`, `move TAG OLD NEW` act on a claim. Events: `TAG granted PATH…`,
/// `TAG failed WHY`, `TAG released`, `TAG asking`, `TAG answered PATH…`.
final class PeerLoop: Sendable {
  private let table: ClaimTable
  private let sessions = Mutex<[String: PeerSession]>([:])
  private let children = Mutex<[ChildProcess]>([])

  init(runtime: FilePath?) throws {
    guard let runtime else {
      table = try ClaimTable.shared()
      return
    }
    table = ClaimTable(
      runtime: try RuntimeDirectory(
        .init(path: runtime, isExplicit: true, isTemporary: false)
      )
    )
  }

  func run() throws {
    table.partners = PeerLink(table.runtime)
    Output.line("ready")
    let input = Descriptor(owning: 0)
    var rest: [UInt8] = []
    while true {
      let bytes = try input.read(upTo: 4096)
      if bytes.isEmpty { return }
      rest += bytes
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeFirst(end + 1)
        try obey(line.split(separator: " ").map(String.init))
      }
    }
  }

  private func obey(_ words: [String]) throws {
    let tag = words.count > 1 ? words[1] : ""
    switch words[0] {
    case "acquire": try acquire(tag, Array(words.dropFirst(2)))
    case "release": session(tag)?.post { $0.release() }
    case "ask": session(tag)?.post { $0.beginAsking() }
    case "answer": session(tag)?.post { $0.endAsking() }
    case "cancel": session(tag)?.waiter.cancel()
    case "move": session(tag)?.move(FilePath(words[2]), FilePath(words[3]))
    case "descriptors":
      Output.line("\(tag) descriptors \(session(tag)?.descriptors ?? [])")
    case "fault": fault(tag, words.dropFirst(2).compactMap { CInt($0) })
    case "limit": try ResourceLimit.setDescriptors(Int(words[2]) ?? 0)
    case "fork": try fork(tag)
    case "spawn": try spawn(tag)
    case "listen": try listen()
    case "storm":
      Signal.user1.interruptOnly()
      Output.line("\(tag) storming")
    case "count": try count(tag, FilePath(words[2]), rounds: Int(words[3]) ?? 0)
    default: Output.line("\(tag) unknown \(words[0])")
    }
  }

  private func session(_ tag: String) -> PeerSession? { sessions.withLock { $0[tag] } }

  private func acquire(_ tag: String, _ words: [String]) throws {
    let session = PeerSession(tag, table, PeerRequest(words))
    sessions.withLock { $0[tag] = session }
    if let outer = session.request.outer {
      self.session(outer)?.post { _ in session.run() }
    } else {
      try BlockingThread.start("peer-\(tag)") { session.run() }
    }
  }

  private func fault(_ call: String, _ codes: [CInt]) {
    #if DEBUG
    SystemCallFaults.force(call, codes)
    #endif
    Output.line("\(call) forced")
  }

  /// Starts a program that keeps the descriptors of an inheritable claim.
  private func spawn(_ tag: String) throws {
    let child = try ChildProcess(
      FilePath("/bin/sleep"),
      ["600"],
      keeping: session(tag)?.descriptors ?? []
    )
    children.withLock { $0.append(child) }
    Output.line("\(tag) spawned \(child.pid)")
  }

  private func listen() throws {
    let link = PeerLink(table.runtime)
    try link.listen(table)
    Output.line("listening")
  }

  /// Forks without exec; the child lives until its parent is gone, holding whatever it inherited.
  private func fork(_ tag: String) throws {
    let parent = ProcessIdentity.current
    let child = try ForkedChild.start {
      while parent.state != .gone { ForkedChild.pause() }
      return 0
    }
    Output.line("\(tag) forked \(child)")
  }

  /// Reads a number from a file and writes it back one higher, under a claim each time.
  private func count(_ tag: String, _ path: FilePath, rounds: Int) throws {
    let table = table
    try BlockingThread.start("count") {
      do {
        for _ in 0..<rounds {
          let request = ClaimRequest(
            items: [.init(path: path, access: .write)],
            purpose: Purpose(
              identifier: "count \(ProcessIdentity.current.pid)",
              mayBeShared: false
            )
          )
          let claim = try table.acquire(request, waiter: PlainWaiter())
          let file = try Descriptor.open(path, [.readWrite, .create])
          let text = String(decoding: try file.read(upTo: 32), as: UTF8.self)
          try file.write(Array("\((Int(text) ?? 0) + 1)".utf8), at: 0)
          claim.release()
        }
        Output.line("\(tag) counted")
      } catch {
        Output.line("\(tag) failed \(error)")
      }
    }
  }
}

/// The words of an `acquire` command.
struct PeerRequest: Sendable {
  var items: [ClaimRequest.Item] = []
  var purpose: String?
  var limit: Duration?
  var isInheritable = false
  var outer: String?

  init(_ words: [String]) {
    for word in words {
      if word == "inherit" {
        isInheritable = true
      } else if word == "stay" {
        for at in items.indices { items[at].followsMoves = false }
      } else if word == "resolve" {
        for at in items.indices { items[at].followsLink = true }
      } else if let value = Self.value(of: "purpose=", in: word) {
        purpose = value
      } else if let value = Self.value(of: "limit=", in: word) {
        limit = .milliseconds(Int64(value) ?? 0)
      } else if let value = Self.value(of: "within=", in: word) {
        outer = value
      } else {
        let access: ClaimRequest.Access =
          switch word.prefix(2) {
          case "r:": .read
          case "w:": .write
          case "s:": .structuralWrite
          default: .movingWrite
          }
        items.append(.init(path: FilePath(String(word.dropFirst(2))), access: access))
      }
    }
  }

  private static func value(of key: String, in word: String) -> String? {
    word.hasPrefix(key) ? String(word.dropFirst(key.count)) : nil
  }
}

/// One claim of the peer, and what is to be done inside its accessor, on its thread.
final class PeerSession: Sendable {
  typealias Work = @Sendable (PeerSession) -> Void
  private struct State {
    var claim: Claim?
    var work: [Work] = []
    var isOver = false
  }

  let tag: String
  let request: PeerRequest
  let waiter = PlainWaiter()
  private let table: ClaimTable
  private let parker = ThreadParker()
  private let state = Mutex(State())

  init(_ tag: String, _ table: ClaimTable, _ request: PeerRequest) {
    self.tag = tag
    self.table = table
    self.request = request
  }

  var descriptors: [CInt] { state.withLock { $0.claim }?.inheritableDescriptors() ?? [] }

  func post(_ work: @escaping Work) {
    state.withLock { $0.work.append(work) }
    parker.wake()
  }

  func run() {
    let claim: Claim
    do {
      claim = try table.acquire(
        ClaimRequest(
          items: request.items,
          purpose: Purpose(
            identifier: request.purpose ?? "\(tag) of \(ProcessIdentity.current.pid)",
            mayBeShared: request.purpose != nil
          ),
          deadline: request.limit.map { MonotonicInstant.now + $0 },
          isInheritable: request.isInheritable
        ),
        waiter: waiter
      )
    } catch {
      Output.line("\(tag) failed \(error)")
      return
    }
    state.withLock { $0.claim = claim }
    tell("granted", claim)
    claim.withAccessor {
      while !state.withLock({ $0.isOver }) {
        let work = state.withLock { state in state.work.isEmpty ? nil : state.work.removeFirst() }
        if let work { work(self) } else { parker.wait(until: nil) }
      }
    }
  }

  func release() {
    state.withLock { $0.claim }?.release()
    state.withLock { $0.isOver = true }
    Output.line("\(tag) released")
  }

  func beginAsking() { step("asking") { claim in try claim.beginAsking(waiter: waiter) } }
  func endAsking() { step("answered") { claim in try claim.endAsking(waiter: waiter) } }

  func move(_ old: FilePath, _ new: FilePath) {
    state.withLock { $0.claim }?.recordMove(from: old, to: new)
    Output.line("\(tag) moved")
  }

  private func step(_ name: String, _ body: (Claim) throws -> Void) {
    guard let claim = state.withLock({ $0.claim }) else { return }
    do {
      try body(claim)
      tell(name, claim)
    } catch {
      Output.line("\(tag) failed \(error)")
    }
  }

  private func tell(_ name: String, _ claim: Claim) {
    let paths = claim.grants.map { "\($0.path)\($0.wasMoved ? "!" : "")" }
    Output.line("\(tag) \(name) \(paths.joined(separator: " "))")
  }
}
