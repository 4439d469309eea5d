import FileCoordination
import Foundation
import LinuxSystem

/// `filecoord status`: who holds, who waits for whom, who presents.
enum StatusVerb: Verb {
  private static let watch = OptionDescription(
    "watch",
    "w",
    "go on and print what begins (+) and what ends (-)"
  )

  static let description = VerbDescription(
    "status",
    ["[OPTION]... [PATH]"],
    "shows who holds, who waits for whom, who presents, what is polled",
    options: [.json, watch],
    details: """
      With PATH only what concerns it: the item itself, what it lies in, what lies in it. "holds"
      is an accessor that runs; when filecoord was killed under its COMMAND, the process is
      the one that still has the lock. "waits" names the processes that it waits for; "asks"
      those whose presenters have not answered yet. A stopped process is marked.

      With --json each line is an object: "state" (holds, waits, asks, presents or polls),
      "kind", "pid", "process", "stopped", "path", "url", "purpose", "since" (ISO 8601),
      "for" (the processes that are waited for, as "pid" and "process") and "reason"; with
      --watch also "change", which is "begins" or "ends". --watch looks five times a second:
      what begins and ends in between is not seen.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    guard arguments.operands.count <= 1 else {
      throw CommandFailure(.usage, "extra operand '\(arguments.operands[1])'")
    }
    let path = try arguments.operands.first.map(Operand.path)
    let asJSON = arguments.has(.json)
    if arguments.has(watch) {
      return try follow(path, asJSON, surroundings)
    }
    let entries = try StatusSource().entries(concerning: path)
    if asJSON {
      for entry in entries { try surroundings.output.encoded(JSONLine.encode(entry)) }
    } else if entries.isEmpty {
      try surroundings.output.line("nobody holds, waits or presents")
    } else {
      for line in StatusTable.lines(entries) { try surroundings.output.line(line) }
    }
    return .success
  }

  private static func follow(
    _ path: FilePath?,
    _ asJSON: Bool,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let point = try WaitPoint()
    var known: [StatusEntry] = []
    return try surroundings.interruption.during({
      while surroundings.interruption.signal == nil {
        let now = try StatusSource().entries(concerning: path)
        let before = Set(known.map(\.withoutTimeOfDay))
        let after = Set(now.map(\.withoutTimeOfDay))
        for entry in known where !after.contains(entry.withoutTimeOfDay) {
          try print(entry, "ends", asJSON, surroundings.output)
        }
        for entry in now where !before.contains(entry.withoutTimeOfDay) {
          try print(entry, "begins", asJSON, surroundings.output)
        }
        known = now
        _ = point.wait(until: MonotonicInstant.now + .milliseconds(200))
      }
      return .signalled((surroundings.interruption.signal ?? .interrupt).rawValue)
    }) { _ in point.wake() }
  }

  private static func print(
    _ entry: StatusEntry,
    _ change: String,
    _ asJSON: Bool,
    _ output: Output
  ) throws {
    if asJSON {
      var changed = entry
      changed.change = change
      try output.encoded(JSONLine.encode(changed))
    } else {
      let sign = change == "begins" ? "+" : "-"
      try output.line("\(ClockTime.text(Date()))  \(sign) \(entry.line)")
    }
  }
}
