import Foundation
import Testing

/// An X server, a home and data directories of one test's own, and the programs that run there.
final class Display {
  /// What did not come in time.
  struct NotInTime: Error, CustomStringConvertible {
    let description: String
  }

  let place: URL
  let files: URL
  let data: URL
  private let server = Process()
  private let number: String
  private var count = 0

  init() throws {
    place = URL(filePath: "/tmp/fc-w\(UInt32.random(in: 0 ... .max))", directoryHint: .isDirectory)
    files = place.appending(path: "files")
    data = place.appending(path: "data")
    for name in ["files", "runtime", "data/applications", "config", "cache", "system", "shots"] {
      try FileManager.default.createDirectory(
        at: place.appending(path: name),
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    }
    // Types, icons and settings as installed, but none of the programs.
    for name in ["mime", "icons", "glib-2.0", "fonts", "themes"] {
      try FileManager.default.createSymbolicLink(
        atPath: place.appending(path: "system/\(name)").path,
        withDestinationPath: "/usr/share/\(name)"
      )
    }
    let answer = Pipe()
    server.executableURL = URL(filePath: "/usr/bin/perl")
    // A child of a thread of Dispatch's has the signals blocked that are to end it.
    server.arguments =
      [
        "-MPOSIX", "-e", "sigprocmask(SIG_SETMASK, POSIX::SigSet->new); exec @ARGV or exit 127",
        "/usr/bin/Xvfb", "-displayfd", "1", "-screen", "0", "1100x800x24", "-nolisten", "tcp",
      ]
    server.standardOutput = answer
    server.standardError = FileHandle.nullDevice
    server.standardInput = FileHandle.nullDevice
    try server.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      guard let byte = try answer.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
        throw NotInTime(description: "Xvfb did not start")
      }
      line += byte
    }
    number = ":" + String(decoding: line.dropLast(), as: UTF8.self)
  }

  deinit {
    // Programs with windows end with it.
    server.terminate()
    // What cannot be removed stays behind in /tmp.
    try? FileManager.default.removeItem(at: place)
  }

  // MARK: files, as other programs write them

  func path(_ name: String) -> String { files.appending(path: name).path }

  func put(_ name: String, _ text: String) throws { try put(name, Data(text.utf8)) }

  func put(_ name: String, _ bytes: Data) throws {
    try bytes.write(to: files.appending(path: name))
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// A picture of stripes.
  func putPicture(_ name: String, width: Int, height: Int) async throws {
    try await run(
      "/usr/bin/convert",
      "-size",
      "\(width)x\(height)",
      "gradient:#3584e4-#f6d32d",
      path(name)
    )
  }

  // MARK: programs

  static func product(_ name: String) throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
  }

  var environment: [String: String] {
    get throws {
      let beside = URL(filePath: try Self.product("x")).deletingLastPathComponent().path
      var result = [
        "DISPLAY": number, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
        "GSETTINGS_BACKEND": "memory", "LC_ALL": "C.UTF-8", "HOME": files.path,
        "PATH": "\(beside):/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
        "FILE_COORDINATION_DIR": place.appending(path: "runtime").path,
        "XDG_DATA_HOME": data.path, "XDG_DATA_DIRS": place.appending(path: "system").path,
        "XDG_CONFIG_HOME": place.appending(path: "config").path,
        "XDG_CACHE_HOME": place.appending(path: "cache").path,
        "XDG_RUNTIME_DIR": place.appending(path: "runtime").path,
      ]
      result["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
      return result
    }
  }

  /// Runs a program to its end; it must succeed.
  @discardableResult
  func run(_ program: String, _ arguments: String...) async throws -> String {
    let run = try launch(program, arguments)
    let status = try await run.ends()
    if status != 0 { throw NotInTime(description: "\(program) \(arguments): \(status)") }
    return String(decoding: try Data(contentsOf: run.output), as: UTF8.self)
  }

  /// A program that shows windows, and what it says of them.
  func start(_ product: String, _ arguments: String...) throws -> Shown {
    try launch(try Self.product(product), arguments)
  }

  /// By a shell that writes down how it ended: Foundation learns of that from a socket, which every
  /// other child that was started meanwhile keeps open.
  private func launch(_ program: String, _ arguments: [String]) throws -> Shown {
    count += 1
    let shown = Shown(place: place, number: count)
    try Data().write(to: shown.log)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", "out=$1; shift; \"$@\" >$out.out 2>$out.err; echo $? >$out.new; mv $out.new $out.end"]
      + ["sh", shown.base, program] + arguments
    process.environment = try environment.merging(["DESKTOP_WINDOWS_LOG": shown.log.path]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return shown
  }

  // MARK: windows

  /// The ids of the windows that have exactly this title and can be seen.
  func windows(_ title: String) async -> [String] {
    let pattern = "^" + NSRegularExpression.escapedPattern(for: title) + "$"
    // xdotool fails where there is none.
    let words = ["search", "--onlyvisible", "--name", pattern]
    guard let search = try? launch("/usr/bin/xdotool", words),
      (try? await search.ends(within: .seconds(5))) == 0
    else { return [] }
    let found = try? String(contentsOf: search.output, encoding: .utf8)
    return (found ?? "").split(separator: "\n").map(String.init)
  }

  /// Waits for a window of this title.
  @discardableResult
  func window(_ title: String) async throws -> String {
    try await eventually("a window “\(title)”") { await self.windows(title).first }
  }

  /// Presses keys in the window of this title, once there is one.
  func press(_ keys: String..., in title: String) async throws {
    let window = try await window(title)
    for key in keys {
      try await run("/usr/bin/xdotool", "windowfocus", "--sync", window, "key", key)
    }
  }

  /// Closes a window by a key, and waits for the end of its program.
  ///
  /// A key is lost that comes before the toolkit has heard that the window has the focus.
  func close(_ shown: Shown, by key: String, in title: String) async throws -> Int {
    for _ in 0..<4 {
      try await press(key, in: title)
      if let status = try? await shown.ends(within: .seconds(5)) { return status }
    }
    throw NotInTime(
      description: "\(key) does not close:\n" + (try shown.lines.joined(separator: "\n"))
    )
  }

  /// A picture of the screen, kept in the directory that `SCREENSHOTS` names, if it does.
  func shoot(_ name: String) async throws {
    guard let directory = ProcessInfo.processInfo.environment["SCREENSHOTS"] else { return }
    // For people only: what is being drawn should be on the screen.
    try await run("/usr/bin/xdotool", "sleep", "0.5")
    try await run("/usr/bin/import", "-window", "root", "\(directory)/\(name).png")
  }
}

/// A program that was started.
struct Shown {
  let base: String
  var log: URL { URL(filePath: base + ".log") }
  var output: URL { URL(filePath: base + ".out") }

  init(place: URL, number: Int) { base = place.appending(path: "run\(number)").path }

  /// Its exit status, or nil while it runs.
  var status: Int? {
    guard let text = try? String(contentsOfFile: base + ".end", encoding: .utf8) else { return nil }
    return Int(text.dropLast())
  }

  var isRunning: Bool { status == nil }

  /// What it has shown, the last at the end.
  var lines: [String] {
    get throws {
      String(decoding: try Data(contentsOf: log), as: UTF8.self).split(separator: "\n")
        .map(String.init)
    }
  }

  /// Waits until it shows something.
  func shows(_ line: String) async throws {
    do {
      try await eventually("“\(line)”") { try lines.last { $0.contains(line) } }
    } catch let error as Display.NotInTime {
      throw Display.NotInTime(
        description: "\(error)\n" + (try lines.joined(separator: "\n"))
          + (status.map { "\nit ended with \($0)" } ?? "")
      )
    }
  }

  /// Waits for its end.
  func ends(within limit: Duration = .seconds(20)) async throws -> Int {
    try await eventually("the end of \(base)", within: limit) { status }
  }
}

/// Waits until there is a value; looks every 10 ms.
@discardableResult
func eventually<Value>(
  _ what: String,
  within limit: Duration = .seconds(20),
  value: () async throws -> Value?
) async throws -> Value {
  let deadline = ContinuousClock.now + limit
  while true {
    if let found = try await value() { return found }
    if ContinuousClock.now >= deadline {
      throw Display.NotInTime(description: "\(what): not within \(limit)")
    }
    try await Task.sleep(for: .milliseconds(10))
  }
}
