import CoordinationRuntime
import LinuxSystem
import PresenterLink
import TestSupport

/// A runtime directory of one test, and the processes that share it.
///
/// The test's own process only asks and looks: it presents nothing.
final class LinkWorld: Sendable {
  private let directory: TemporaryDirectory
  let runtime: RuntimeDirectory
  let link: PresenterLink

  init(sharedWithGroup: Bool = false) throws {
    directory = try TemporaryDirectory(mode: sharedWithGroup ? 0o755 : 0o700)
    let path = directory.path.appending("runtime")
    try FileSystem.makeDirectory(path, mode: 0o700)
    if sharedWithGroup {
      try FileSystem.setGroup(path, World.group)
      try FileSystem.setPermissions(path, 0o2770)
    }
    runtime = try RuntimeDirectory(
      RuntimeDirectory.Choice(path: path, isExplicit: true, isTemporary: false)
    )
    link = try PresenterLink(runtime: runtime)
  }

  func peer(asNobody: Bool = false) async throws -> LinkPeerProcess {
    try await LinkPeerProcess(runtime.path, asNobody: asNobody, scratch: directory.path)
  }

  /// Takes every protection that file permissions give away from these, and from what holds them.
  func openToAll(_ paths: [FilePath]) throws {
    let above = [directory.path, runtime.path, runtime.path.appending("peers")]
    for path in above + paths { try FileSystem.setPermissions(path, 0o777) }
  }

  /// Lets a process of another user connect to a socket in a folder and ask; what it comes to.
  func knock(at folder: FilePath, asNobody: Bool) async throws -> String {
    let program = try LinkPeerProcess.program(asNobody: asNobody, scratch: directory.path)
    let (eventsIn, eventsOut) = try Descriptor.pipe()
    let process = try ChildProcess(
      FilePath(program[0]),
      Array(program.dropFirst()) + ["knock", folder.description],
      output: eventsOut.number
    )
    let log = LineLog()
    try BlockingThread.start("knock-log") { log.fill(from: eventsIn) }
    let line = try await log.next("knock: ")
    process.wait()
    return String(line.dropFirst("knock: ".count))
  }

  func query(_ path: String) -> PresenceQuery { PresenceQuery(exact: [FilePath(path)]) }

  /// A question about a path, as any claim would ask it.
  func ask(_ path: String, number: UInt64 = 1) -> LinkMessage {
    .ask(
      AskMessage(
        claim: ClaimID(process: .current, number: number),
        items: [AskedItem(item: FilePath(path), access: .writing(0))]
      )
    )
  }

  /// The files in a peer's folder; empty when it is gone.
  func folder(of peer: LinkPeerProcess) -> [String] {
    let path = runtime.path.appending("peers")
      .appending("\(peer.identity.pid).\(peer.identity.started)")
    // Gone is what "empty" says.
    return ((try? FileSystem.list(path)) ?? []).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A `link-peer`: told what to do in lines, answers in lines.
///
/// Killed when the value ends.
final class LinkPeerProcess: Sendable {
  let identity: ProcessIdentity
  let process: ChildProcess
  private let input: SharedDescriptor
  private let log: LineLog

  fileprivate init(_ runtime: FilePath, asNobody: Bool, scratch: FilePath) async throws {
    Signal.pipe.ignore()
    let (commandsIn, commandsOut) = try Descriptor.pipe()
    let (eventsIn, eventsOut) = try Descriptor.pipe()
    let command = try Self.program(asNobody: asNobody, scratch: scratch)
    let inherited = ["LD_LIBRARY_PATH", "TSAN_OPTIONS"].compactMap { name in
      Environment.value(of: name).map { "\(name)=\($0)" }
    }
    process = try ChildProcess(
      FilePath(command[0]),
      Array(command.dropFirst()),
      environment: ["FILE_COORDINATION_DIR=\(runtime)", "PATH=/usr/bin:/bin"] + inherited,
      input: commandsIn.number,
      output: eventsOut.number
    )
    input = commandsOut
    let log = LineLog()
    self.log = log
    try BlockingThread.start("link-peer-log") { log.fill(from: eventsIn) }
    let words = try await log.next("ready").split(separator: " ")
    guard words.count == 3, let pid = Int32(words[1]), let started = UInt64(words[2]) else {
      throw NotInTime("no identity in \(words)")
    }
    identity = ProcessIdentity(pid: pid, started: started)
  }

  /// How a peer is started; another user cannot reach the place where it was built.
  static func program(asNobody: Bool, scratch: FilePath) throws -> [String] {
    let program = try World.product("link-peer")
    guard asNobody else { return [program.description] }
    let copy = scratch.appending("link-peer")
    if (try? FileStatus(of: copy)) == nil {
      try FileSystem.copyContents(of: program, toNew: copy)
      try FileSystem.setPermissions(copy, 0o755)
    }
    return [
      "/usr/bin/setpriv", "--reuid=65534", "--regid=\(World.group)", "--clear-groups", "--",
      copy.description,
    ]
  }

  func say(_ line: String) throws {
    try input.with { input throws(SystemError) in try input.write(Array("\(line)\n".utf8)) }
  }

  /// Gives a command and waits for a line that starts with `answer`.
  @discardableResult
  func say(_ line: String, _ answer: String) async throws -> String {
    try say(line)
    return try await expect(answer)
  }

  /// Waits for the next line that starts so and was not expected before.
  @discardableResult
  func expect(_ prefix: String) async throws -> String { try await log.next(prefix) }

  func hasSaid(_ prefix: String) -> Bool { log.has(prefix) }

  func kill() {
    process.send(.kill)
    process.wait()
  }

  func stop() async throws {
    process.send(.stop)
    let identity = identity
    try await eventually("stopped") { identity.state == .stopped }
  }
}

/// Lines that came, in order, each expected once.
final class LineLog: Sendable {
  private let lines = Mutex<[String]>([])

  func has(_ prefix: String) -> Bool { lines.withLock { $0.contains { $0.hasPrefix(prefix) } } }

  func next(_ prefix: String) async throws -> String {
    let said = { self.lines.withLock { $0.joined(separator: " | ") } }
    do {
      return try await eventually(prefix) {
        self.lines.withLock { lines in
          lines.firstIndex { $0.hasPrefix(prefix) }.map { lines.remove(at: $0) }
        }
      }
    } catch { throw NotInTime("no line \"\(prefix)\"; there is: \(said())") }
  }

  func fill(from source: SharedDescriptor) {
    var rest: [UInt8] = []
    while true {
      // A failed read is the end of the peer as well.
      let part = (try? source.with { file throws(SystemError) in try file.read(upTo: 65536) }) ?? []
      if part.isEmpty { return }
      rest += part
      while let end = rest.firstIndex(of: 0x0a) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeSubrange(...end)
        lines.withLock { $0.append(line) }
      }
    }
  }
}
