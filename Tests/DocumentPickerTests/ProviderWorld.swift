import Foundation
import LinuxSystem
import TestSupport

/// A world with a provider whose behaviour the test decides, and homes of its own for everything.
final class ProviderWorld: Sendable {
  static let identifier = "org.example.peer"
  static let group = "org.example.group"

  let world: World
  let control: FilePath
  let data: FilePath

  // The contents are what the provider can deliver.
  init(
    _ contents: [String: String] = [:],
    stopAfter: Double = 30,
    exitAfter: Double = 2,
    program: String = "provider-peer"
  ) throws {
    world = try World()
    data = world.files.appending("data")
    control = world.files.appending("control")
    for directory in [
      data, data.appending("document-providers"), control,
      control.appending("contents"),
    ] {
      try FileSystem.makeDirectory(directory, mode: 0o755)
    }
    try FileSystem.makeDirectories(storage)
    for (name, text) in contents { try put("contents/\(name)", text) }
    try declare(
      "peer.json",
      identifier: Self.identifier,
      group: Self.group,
      exec: [try World.product(program).description, control.description],
      stopAfter: stopAfter,
      exitAfter: exitAfter
    )
  }

  deinit {
    // What it still has to let go of nobody waits for; its folders go now. Most ended by themselves, and
    // their numbers may be those of others by now.
    for line in calls("process ") {
      let numbers = line.split(separator: " ").compactMap { UInt64($0) }
      let process = ProcessIdentity(pid: Int32(numbers[0]), started: numbers[1])
      if process.state != .gone { Signal.kill.send(to: process.pid) }
    }
  }

  /// The folder that the provider shares.
  var storage: FilePath { data.appending(Self.group).appending("File Provider Storage") }
  func item(_ name: String) -> String { storage.appending(name).description }
  func placeholder(_ name: String) -> FilePath { storage.appending(".\(name).placeholder") }
  func exists(_ path: FilePath) -> Bool { (try? FileStatus(of: path)) != nil }
  func text(_ path: FilePath) throws -> String {
    String(decoding: try Descriptor.open(path, .readOnly).readToEnd(), as: UTF8.self)
  }

  /// What programs of this world are started with.
  var environment: [String] {
    [
      "FILE_COORDINATION_DIR=\(world.runtime)", "XDG_DATA_HOME=\(data)",
      "XDG_DATA_DIRS=\(world.files)/none", "XDG_STATE_HOME=\(world.files)/state",
      "XDG_RUNTIME_DIR=\(world.files)", "HOME=\(world.files)", "PATH=/usr/bin:/bin",
      "LC_ALL=C.UTF-8",
    ]
      + ["LD_LIBRARY_PATH", "TSAN_OPTIONS"].compactMap { name in
        Environment.value(of: name).map { "\(name)=\($0)" }
      }
  }

  func peer(_ name: String) async throws -> Peer {
    try await world.peer(name, environment: environment)
  }

  // MARK: the provider

  func put(_ name: String, _ text: String) throws {
    try FileSystem.replace(control.appending(name), text)
  }

  /// How the next deliveries go.
  func deliveries(_ way: String) throws { try put("start", way) }

  /// What the provider was called for, a line each.
  var log: [String] {
    ((try? text(control.appending("log"))) ?? "").split(separator: "\n").map(String.init)
  }
  func calls(_ prefix: String) -> [String] { log.filter { $0.hasPrefix(prefix) } }

  /// A placeholder, as the provider would write it.
  func placeholders(_ names: String...) throws {
    for name in names { try FileSystem.replace(placeholder(name), "") }
  }

  func makeGate() throws {
    let made = try ChildProcess(
      FilePath("/usr/bin/mkfifo"),
      [control.appending("gate").description]
    ).wait()
    if made != .exited(0) { throw NotInTime("no gate") }
  }

  /// Lets the delivery go on that waits at the gate.
  func openGate() throws {
    _ = try Descriptor.open(control.appending("gate"), .readWrite).number
  }

  func declare(
    _ file: String,
    identifier: String,
    name: String = "Peer",
    group: String?,
    exec: [String],
    modes: [String] = ["import", "open", "exportToService", "moveToService"],
    types: [String] = ["public.content", "public.data"],
    stopAfter: Double = 30,
    exitAfter: Double = 30
  ) throws {
    var values: [String: Any] = [
      "identifier": identifier, "displayName": name, "modes": modes, "supportedTypes": types,
      "exec": exec, "stopAfterSeconds": stopAfter, "exitAfterSeconds": exitAfter,
    ]
    values["documentGroup"] = group
    let json = try JSONSerialization.data(withJSONObject: values)
    try declare(file, String(decoding: json, as: UTF8.self))
  }

  func declare(_ file: String, _ text: String) throws {
    try FileSystem.replace(data.appending("document-providers").appending(file), text)
  }

  /// The process of a provider, if it listens.
  func process(of identifier: String = identifier) -> Int32? {
    for name in (try? FileSystem.list(FilePath("/proc"))) ?? [] {
      guard let pid = Int32(String(decoding: name, as: UTF8.self)),
        let file = try? Descriptor.open(FilePath("/proc/\(pid)/environ"), .readOnly),
        let bytes = try? file.readToEnd()
      else { continue }
      let variables = String(decoding: bytes, as: UTF8.self).split(separator: "\0")
      if variables.contains("FILE_PROVIDER_IDENTIFIER=\(identifier)"),
        variables.contains("FILE_COORDINATION_DIR=\(world.runtime)")
      {
        return pid
      }
    }
    return nil
  }

  // MARK: programs

  struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// Runs a program of this package to its end; its input is given beforehand.
  func run(_ program: String, _ arguments: [String], input: String = "") async throws -> Outcome {
    let running = try start(program, arguments, input: input)
    return try await running.end()
  }

  func start(_ program: String, _ arguments: [String], input: String = "") throws -> Running {
    try Running(
      World.product(program),
      arguments,
      environment: environment,
      input: input,
      in: TemporaryDirectory(),
      at: world.files
    )
  }

  final class Running: Sendable {
    let process: ChildProcess
    private let place: TemporaryDirectory

    init(
      _ program: FilePath,
      _ arguments: [String],
      environment: [String],
      input: String,
      in place: TemporaryDirectory,
      at directory: FilePath
    ) throws {
      self.place = place
      try FileSystem.replace(place.path.appending("in"), input)
      let reading = try Descriptor.open(place.path.appending("in"), .readOnly)
      let output = try Descriptor.open(place.path.appending("out"), [.writeOnly, .create])
      let errors = try Descriptor.open(place.path.appending("err"), [.writeOnly, .create])
      process = try ChildProcess(
        FilePath("/usr/bin/env"),
        ["-C", directory.description, program.description] + arguments,
        environment: environment,
        input: reading.number,
        output: output.number,
        error: errors.number
      )
    }

    func text(_ name: String) throws -> String {
      String(
        decoding: try Descriptor.open(place.path.appending(name), .readOnly).readToEnd(),
        as: UTF8.self
      )
    }

    func end() async throws -> Outcome {
      let end: ChildProcess.End = try await eventually("the program's end") { process.poll() }
      let status: Int32 =
        switch end {
        case .exited(let status): status
        case .signalled(let number): 128 + number
        }
      return Outcome(status: status, output: try text("out"), errors: try text("err"))
    }
  }
}

extension FileSystem {
  /// Puts a text under a name in one step.
  fileprivate static func replace(_ path: FilePath, _ text: String) throws {
    let temporary = FilePath("\(path).new")
    let file = try Descriptor.open(temporary, [.writeOnly, .create, .truncate], mode: 0o644)
    try file.write(Array(text.utf8))
    try rename(temporary, to: path)
  }
}
