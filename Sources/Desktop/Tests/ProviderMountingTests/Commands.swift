import Foundation

/// Something that had to happen did not.
struct NotInTime: Error, CustomStringConvertible {
  let description: String
}

/// Waits until there is a value; looks every 5 ms.
func eventually<Value>(
  _ what: String,
  within limit: Duration = .seconds(20),
  _ value: () throws -> Value?
) async throws -> Value {
  let deadline = ContinuousClock.now + limit
  while true {
    if let found = try value() { return found }
    if ContinuousClock.now >= deadline {
      throw NotInTime(description: "\(what): not within \(limit)")
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// Waits until it is so.
func eventually(
  _ what: String,
  within limit: Duration = .seconds(20),
  isSo: () throws -> Bool
) async throws {
  let _: Bool = try await eventually(what, within: limit, { try isSo() ? true : nil })
}

/// Whether something does not happen for a while, which is short on purpose.
func never(_ condition: () throws -> Bool) async throws -> Bool {
  let deadline = ContinuousClock.now + .milliseconds(300)
  while ContinuousClock.now < deadline {
    if try condition() { return false }
    try await Task.sleep(for: .milliseconds(5))
  }
  return true
}

/// A program that a test started; what it says is in files, so that nobody has to read along.
///
/// Tests never touch the mount themselves: what hangs there must be a process that can be given up.
final class Command: Sendable {
  struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String
  }
  private let process: Process
  private let place: URL

  /// What starts the program.
  ///
  /// Foundation hands a descriptor on to what it starts, and takes the end of whoever has it last for
  /// the program's: a provider lives longer than the mount that started it. So another program is
  /// between, which hands on nothing.
  private static let starter = """
    import os, signal, subprocess, sys
    # Neither are signals, which threads of tests block.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    place = sys.argv[1]
    p = subprocess.Popen(sys.argv[2:])
    open(place + "/pid.new", "w").write(str(p.pid))
    os.rename(place + "/pid.new", place + "/pid")
    status = p.wait()
    open(place + "/status.new", "w").write(str(status if status >= 0 else 128 - status))
    os.rename(place + "/status.new", place + "/status")
    """

  init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String],
    input: String? = nil
  ) throws {
    place = FileManager.default.temporaryDirectory.appending(path: "command-\(UUID())")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-S", "-E", "-c", Self.starter, place.path, program] + arguments
    process.environment = environment
    for name in ["in", "out", "err"] { try Data().write(to: place.appending(path: name)) }
    if let input { try Data(input.utf8).write(to: place.appending(path: "in")) }
    process.standardInput = try FileHandle(forReadingFrom: place.appending(path: "in"))
    process.standardOutput = try FileHandle(forWritingTo: place.appending(path: "out"))
    process.standardError = try FileHandle(forWritingTo: place.appending(path: "err"))
    try process.run()
  }

  deinit {
    if isRunning { send(SIGKILL) }
    try? FileManager.default.removeItem(at: place)
  }

  var isRunning: Bool { text("status").isEmpty && process.isRunning }
  /// To a program that has begun, and not ended.
  func send(_ signal: Int32) {
    if let pid = Int32(text("pid")), isRunning { kill(pid, signal) }
  }

  func text(_ name: String) -> String {
    (try? Data(contentsOf: place.appending(path: name)))
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  func end(within limit: Duration = .seconds(30)) async throws -> Outcome {
    let status = try await eventually("its end", within: limit) { Int32(text("status")) }
    return Outcome(status: status, output: text("out"), errors: text("err"))
  }
}
