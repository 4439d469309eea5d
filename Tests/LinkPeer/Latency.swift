import CoordinationRuntime
import LinuxSystem
import PresenterLink

/// How long a question to a presenter in another process takes: `link-peer latency [ROUNDS]`.
///
/// Beside it the floor, a bare packet there and back through the same kind of socket, measured in
/// turn with it. Both sides poll before they read, as a claim must.
enum Latency {
  static func run(rounds: Int) throws {
    let us = try FileSystem.readLink(FilePath("/proc/self/exe"))
    let place = FilePath("/dev/shm/link-latency-\(ProcessIdentity.current.pid)")
    try FileSystem.makeDirectory(place)
    defer { try? FileSystem.removeTree(place) }
    let environment = ["FILE_COORDINATION_DIR=\(place.appending("runtime"))"]
    let (commandsIn, commandsOut) = try Descriptor.pipe()
    let (eventsIn, eventsOut) = try Descriptor.pipe()
    let presenter = try ChildProcess(
      us,
      [],
      environment: environment,
      input: commandsIn.number,
      output: eventsOut.number
    )
    let echo = try ChildProcess(us, ["echo", place.description], environment: environment)
    defer {
      presenter.send(.kill)
      echo.send(.kill)
    }
    try commandsOut.with { file throws(SystemError) in
      try file.write(Array("mode quiet\npresent /a/b/c/d/e/f\n".utf8))
    }
    let link = try PresenterLink(
      runtime: try RuntimeDirectory(
        .init(path: place.appending("runtime"), isExplicit: true, isTemporary: false)
      )
    )
    let query = PresenceQuery(upwards: [FilePath("/a/b/c/d/e/f")])
    while try link.peers(presenting: query).isEmpty { ForkedChild.pause() }
    let other = PresenceQuery(upwards: [FilePath("/home/somebody/documents/letters/2026/file.txt")])
    let socket = try connect(place)
    for gap in [false, true] {
      var (asks, floors, looks): ([UInt64], [UInt64], [UInt64]) = ([], [], [])
      let count = gap ? rounds / 20 : rounds
      for round in 0..<(count + count / 10) {
        let isWarm = round >= count / 10
        if gap { ForkedChild.pause() }
        let floor = try time { try bare(socket) }
        if gap { ForkedChild.pause() }
        let ask = try time { try self.ask(link, query) }
        let look = time { for _ in 0..<100 { _ = link.mayBePresented(other) } } / 100
        if isWarm {
          floors.append(floor)
          asks.append(ask)
          looks.append(look)
        }
      }
      let name = gap ? "2 ms idle between" : "back to back"
      report("look, nothing found, \(name)", looks)
      report("bare packet there and back, \(name)", floors)
      report("ask, answered, finished, noted, \(name)", asks)
    }
    _ = eventsIn
  }

  /// What a claim does that asks one presenter: two round trips.
  private static func ask(_ link: PresenterLink, _ query: PresenceQuery) throws {
    let claim = ClaimID(process: ProcessIdentity(pid: 1, started: 1), number: 1)
    for peer in try link.peers(presenting: query) {
      let conversation = try link.converse(with: peer.process)
      try conversation.send(
        .ask(
          AskMessage(
            claim: claim,
            items: [AskedItem(item: FilePath("/a/b/c/d/e/f"), access: .writing(0))]
          )
        )
      )
      _ = UnixSocket.waitReadable(conversation.socketNumber, until: nil)
      _ = try conversation.receive()
      try conversation.send(
        .finished(
          FinishMessage(claim: claim, notices: [.changed(FilePath("/a/b/c/d/e/f"))])
        )
      )
      _ = UnixSocket.waitReadable(conversation.socketNumber, until: nil)
      _ = try conversation.receive()
      conversation.finish()
    }
  }

  // MARK: The floor

  static func echo(in place: FilePath) throws {
    let directory = try Descriptor.open(place, [.readOnly, .directory])
    let listener = try UnixSocket.listen(in: directory.number, name: "echo")
    while true {
      _ = UnixSocket.waitReadable(listener.number, until: nil)
      guard let socket = try UnixSocket.accept(listener.number) else { continue }
      while true {
        _ = UnixSocket.waitReadable(socket, until: nil)
        switch try UnixSocket.receive(from: socket) {
        case .packet(let bytes, _): try UnixSocket.send(bytes, to: socket)
        case .nothing: continue
        case .closed: return
        }
      }
    }
  }

  private static func connect(_ place: FilePath) throws -> Descriptor {
    let directory = try Descriptor.open(place, [.readOnly, .directory])
    while true {
      if let socket = try? UnixSocket.connect(in: directory.number, name: "echo") { return socket }
      ForkedChild.pause()
    }
  }

  private static func bare(_ socket: borrowing Descriptor) throws {
    let number = socket.number
    try UnixSocket.send([UInt8](repeating: 1, count: 64), to: number)
    while true {
      _ = UnixSocket.waitReadable(number, until: nil)
      if case .packet = try UnixSocket.receive(from: number) { return }
    }
  }

  private static func time(_ body: () throws -> Void) rethrows -> UInt64 {
    let start = MonotonicInstant.now.nanoseconds
    try body()
    return MonotonicInstant.now.nanoseconds - start
  }

  private static func report(_ name: String, _ samples: [UInt64]) {
    let sorted = samples.sorted()
    guard let last = sorted.last else { return }
    func text(_ nanoseconds: UInt64) -> String { "\(Double(nanoseconds / 10) / 100)" }
    let (p50, p99) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
    Lines.shared.say(
      "\(name): p50 \(text(p50)) us, p99 \(text(p99)) us, longest \(text(last)) us"
    )
  }
}
