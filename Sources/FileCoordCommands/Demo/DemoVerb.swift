import Foundation
import LinuxSystem

/// `filecoord demo`: two editors and a stranger at work on one file.
enum DemoVerb: Verb {
  static let withoutCoordination = OptionDescription(
    "without-coordination",
    hidden: true,
    "what happens without"
  )

  static let description = VerbDescription(
    "demo",
    [""],
    "shows two programs and a stranger at work on one file",
    options: [withoutCoordination],
    details: """
      Two processes have one file open as a UIDocument. Both edit it at the same time, a shell
      that knows nothing of coordination adds lines under their unsaved edits, then both save,
      and merge what the other and the shell wrote. Printed is who claimed the file and who was
      told what, in milliseconds. The exit status is 0 only if no edit and no line was lost and
      both editors have heard of all.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    guard arguments.operands.isEmpty else {
      throw CommandFailure(.usage, "extra operand '\(arguments.operands[0])'")
    }
    let demo = try Demo(
      surroundings,
      isCoordinating: !arguments.has(withoutCoordination)
    )
    return try demo.run()
  }
}

/// One run of the demo.
final class Demo {
  private static let rounds = 4
  private let surroundings: Surroundings
  private let isCoordinating: Bool
  private let directory: FilePath
  private let file: FilePath
  private let timeline = DemoTimeline(["editor A", "editor B", "stranger"])
  private var strangerLines = 0

  init(_ surroundings: Surroundings, isCoordinating: Bool) throws {
    self.surroundings = surroundings
    self.isCoordinating = isCoordinating
    do {
      directory = try FileSystem.makeUniqueDirectory(in: FilePath("/tmp"), prefix: "fc-demo-")
      file = directory.appending("notes.txt")
      let made = try Descriptor.open(file, [.writeOnly, .create, .exclusive])
      try made.write(Array(DemoFile.header(0).utf8))
    } catch {
      throw CommandFailure(error, otherwise: .cannotCreate)
    }
  }

  deinit {
    // What cannot be removed stays in /tmp.
    try? FileSystem.removeTree(directory)
  }

  func run() throws -> ExitStatus {
    let editors = try [makeEditor("A", column: 0), makeEditor("B", column: 1)]
    let stranger = try makeStranger(column: 2)
    for editor in editors { _ = try editor.answer(surroundings.interruption) }
    for round in 1...Self.rounds {
      try tell(editors, .edit)
      if round % 2 == 1 { try write(stranger) }
      try tell(editors, .save)
    }
    for _ in 1...2 { try write(stranger) }
    for editor in editors { try editor.send(DemoOrder.finish.rawValue) }
    let views = try editors.map { try $0.answer(surroundings.interruption).text ?? "" }
    for line in timeline.lines { try surroundings.output.line(line) }
    return try judge(views)
  }

  /// Gives all editors one order, and waits until all have carried it out.
  private func tell(_ editors: [DemoMember], _ order: DemoOrder) throws {
    for editor in editors { try editor.send(order.rawValue) }
    for editor in editors { _ = try editor.answer(surroundings.interruption) }
  }

  private func makeEditor(_ name: String, column: Int) throws -> DemoMember {
    let program = FilePath("/usr/bin/env")
    let own = try FileSystem.readLink(FilePath("/proc/self/exe"))
    // What is kept of conflicts goes with the demo, not into the user's store of versions.
    let data = "XDG_DATA_HOME=\(directory.appending("data"))"
    var arguments = [
      data, own.description, DemoEditorVerb.description.name, name, file.description,
    ]
    if !isCoordinating { arguments.append("--\(DemoVerb.withoutCoordination.long)") }
    let timeline = timeline
    return try DemoMember("editor \(name)", program, arguments) { line in
      // A line that is no message is something the editor's runtime has to say: left out.
      guard let message = try? JSONDecoder().decode(DemoMessage.self, from: Data(line.utf8)) else {
        return nil
      }
      if let event = message.event { timeline.add(event, in: column, at: message.time) }
      return message.answer == nil ? nil : message
    }
  }

  private func makeStranger(column: Int) throws -> DemoMember {
    let script = #"while read n; do echo "\#(DemoFile.stranger) $n" >>"$1"; echo "$n"; done"#
    let timeline = timeline
    return try DemoMember(
      "the stranger",
      FilePath("/bin/sh"),
      ["-c", script, "sh", file.description]
    ) { line in
      let now = MonotonicInstant.now.nanoseconds
      timeline.add("wrote line \(line)", in: column, at: now)
      return DemoMessage(time: now, answer: line)
    }
  }

  private func write(_ stranger: DemoMember) throws {
    strangerLines += 1
    try stranger.send("\(strangerLines)")
    _ = try stranger.answer(surroundings.interruption)
  }

  /// Whether everything is in the file, and known to both editors.
  private func judge(_ views: [String]) throws -> ExitStatus {
    let text = try DemoFile.contents(of: file)
    let edits = 2 * Self.rounds
    let counted = DemoFile.count(in: text) ?? 0
    let lines = text.split(separator: "\n").dropFirst()
    let wanted =
      ["A", "B"].flatMap { name in (1...Self.rounds).map { "\(name) \($0)" } }
      + (1...strangerLines).map { "\(DemoFile.stranger) \($0)" }
    let missing = wanted.filter { line in lines.filter { $0 == line }.count != 1 }
    let unaware = zip(["A", "B"], views).filter { $0.1 != text }.map(\.0)
    var faults: [String] = []
    if counted != edits { faults.append("\(edits - counted) of \(edits) edits are lost") }
    if !missing.isEmpty { faults.append("lines are lost: \(missing.joined(separator: ", "))") }
    for name in unaware { faults.append("editor \(name) has not heard of everything") }
    try surroundings.output.line("")
    guard faults.isEmpty else {
      for fault in faults { try surroundings.output.line("LOST: \(fault)") }
      return .failure
    }
    try surroundings.output.line(
      "\(edits) edits by two editors and \(strangerLines) lines by a stranger: nothing lost, "
        + "and both editors have heard of all."
    )
    return .success
  }
}
