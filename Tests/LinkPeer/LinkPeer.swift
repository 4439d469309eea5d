import CoordinationRuntime
import LinuxSystem
import PresenterLink

/// Carries out one command per line.
final class LinkPeer {
  private let host = ScriptedHost()
  private let link: PresenterLink
  private var presences: [PresenceID] = []
  private var conversation: Conversation?
  private let lines = Lines.shared
  private var padding: [SharedDescriptor] = []

  init() throws {
    link = try PresenterLink.shared()
    link.host = host
    let us = ProcessIdentity.current
    lines.say("ready \(us.pid) \(us.started)")
  }

  func run() throws {
    try lines.forEach { words in
      guard let verb = words.first else { return }
      do {
        try obey(verb, Array(words.dropFirst()))
      } catch {
        lines.say("failed \(verb): \(error)")
      }
    }
  }

  private func obey(_ verb: String, _ words: [String]) throws {
    switch verb {
    case "mode":
      host.set(ScriptedHost.Mode(rawValue: words[0]) ?? .auto)
      lines.say("mode \(words[0])")
    case "answer": lines.say("answered \(host.answerHeld())")
    case "listen":
      try link.listen()
      lines.say("listening")
    case "present":
      presences.append(try link.present(FilePath(words[0])))
      lines.say("presented \(presences.count - 1)")
    case "withdraw":
      link.withdraw(presences[try number(words[0])])
      lines.say("withdrawn")
    case "move":
      try link.move(presences[try number(words[0])], to: FilePath(words[1]))
      lines.say("moved")
    case "many": try presentMany(words[0], try number(words[1]))
    case "churn": try churn(words[0])
    case "cycle":
      for _ in 0..<(try number(words[1])) { link.withdraw(try link.present(FilePath(words[0]))) }
      lines.say("cycled")
    case "ask": try ask(process(words), FilePath(words[2]))
    case "send": try send(words)
    case "keep": conversation?.finish()
    case "drop": conversation = nil
    case "recount": lines.say("recounted \(try link.recount())")
    case "fork": try fork(words[0])
    case "hostless":
      link.host = nil
      lines.say("hostless")
    case "descriptors": lines.say("descriptors \(try openDescriptors())")
    case "limit":
      // Exactly what is open now: no number is free below the limit.
      while let file = try? Descriptor.open(FilePath("/dev/null"), .readOnly), file.number < 100 {
        padding.append(SharedDescriptor(file))
      }
      try ResourceLimit.setDescriptors(100)
      lines.say("limited")
    case "unlimit":
      try ResourceLimit.setDescriptors(1024)
      padding = []
      lines.say("unlimited")
    case "memory": lines.say("memory \(try anonymousKilobytes())")
    default: lines.say("unknown \(verb)")
    }
  }

  private func openDescriptors() throws -> Int {
    try FileSystem.list(FilePath("/proc/self/fd")).count
  }

  /// What the process holds for itself, in KiB.
  private func anonymousKilobytes() throws -> Int {
    let file = try Descriptor.open(FilePath("/proc/self/status"), .readOnly)
    let text = String(decoding: try file.readToEnd(), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first ?? -1
  }

  private func number(_ word: String) throws -> Int {
    guard let number = Int(word) else { throw SystemError("strtol", .invalid, on: word) }
    return number
  }

  private func process(_ words: [String]) throws -> ProcessIdentity {
    ProcessIdentity(pid: Int32(try number(words[0])), started: UInt64(try number(words[1])))
  }

  /// Presents many paths, and says how long the first and the last fifth took.
  private func presentMany(_ prefix: String, _ count: Int) throws {
    var marks = [MonotonicInstant.now]
    for index in 0..<count {
      presences.append(try link.present(FilePath("\(prefix)\(index)")))
      if (index + 1) % max(count / 5, 1) == 0 { marks.append(.now) }
    }
    let parts = zip(marks, marks.dropFirst()).map { $1.nanoseconds - $0.nanoseconds }
    lines.say("presented \(count) \(parts.first ?? 0) \(parts.last ?? 0)")
  }

  /// Presents and withdraws around one path that stays presented, until killed.
  private func churn(_ path: String) throws {
    presences.append(try link.present(FilePath(path)))
    lines.say("churning")
    try BlockingThread.start("churn") { [link] in
      var index = 0
      while true {
        // The test kills this process; a failure shows there as a path that is not found.
        guard let id = try? link.present(FilePath("\(path)-\(index % 50)")) else { return }
        if index % 3 == 0 { try? link.move(id, to: FilePath("\(path)-moved")) }
        link.withdraw(id)
        index += 1
        // Most of the time lists do not change, as in life; or nothing could be counted anew.
        if index % 20 == 0 { ForkedChild.pause() }
      }
    }
  }

  private func ask(_ process: ProcessIdentity, _ path: FilePath) throws {
    let conversation = try link.converse(with: process)
    self.conversation = conversation
    let message = AskMessage(
      claim: ClaimID(process: .current, number: 7),
      items: [AskedItem(item: path, access: .writing(0))]
    )
    try conversation.send(.ask(message))
    lines.say("asked")
    try BlockingThread.start("answers") { [lines] in
      while let received = try? conversation.receive(until: nil) {
        switch received {
        case .message(let message, _): lines.say("heard \(message)")
        case .nothing: continue
        case .closed:
          lines.say("closed")
          return
        }
      }
    }
  }

  private func send(_ words: [String]) throws {
    guard let conversation else { return lines.say("failed send: no conversation") }
    let claim = ClaimID(process: .current, number: 7)
    switch words[0] {
    case "began": try conversation.send(.accessBegan(WriteBegin(claim: claim, paths: [])))
    case "finished": try conversation.send(.finished(FinishMessage(claim: claim, notices: [])))
    case "abandoned": try conversation.send(.abandoned(claim))
    default: break
    }
    lines.say("sent \(words[0])")
  }

  /// Forks without exec; the child presents a path of its own for a while, then ends.
  private func fork(_ path: String) throws {
    let child = try ForkedChild.start {
      guard let link = try? PresenterLink.shared(), (try? link.present(FilePath(path))) != nil
      else { return 1 }
      Lines.shared.say("child \(ProcessIdentity.current.pid)")
      for _ in 0..<200 { ForkedChild.pause() }
      return 0
    }
    lines.say("forked \(child)")
    try BlockingThread.start("reaper") { [lines] in
      lines.say("child ended \(ForkedChild.wait(for: child))")
    }
  }
}
