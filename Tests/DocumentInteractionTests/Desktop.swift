import Foundation
import LinuxSystem
import TestSupport

/// A world with data directories of a desktop of its own; the real home is never looked at.
final class Desktop: Sendable {
  let world: World
  /// Where the user's and where everybody's data lies, and the user's settings and caches.
  let data: FilePath
  let system: FilePath
  let config: FilePath
  let cache: FilePath

  init(@FileTreeBuilder _ items: () -> [any FileTreeItem] = { [] }) throws {
    world = try World(items)
    let top = world.files.parent ?? world.files
    data = top.appending("data")
    system = top.appending("system")
    config = top.appending("config")
    cache = top.appending("cache")
    for path in [data, system, config, cache] { try FileSystem.makeDirectory(path, mode: 0o700) }
    for path in [data, system] {
      try FileSystem.makeDirectory(path.appending("applications"), mode: 0o700)
    }
    try FileSystem.makeLink(system.appending("mime"), to: FilePath("/usr/share/mime"))
  }

  func path(_ name: String) -> String { world.path(name) }
  func file(_ name: String) -> FilePath { world.files.appending(name) }

  /// What programs of this desktop find in their environment.
  var environment: [String] {
    get throws {
      let directory = try World.product("filecoord").parent?.description ?? ""
      return [
        "FILE_COORDINATION_DIR=\(world.runtime)", "PATH=\(system)/bin:\(directory):/usr/bin:/bin",
        "LC_ALL=C.UTF-8", "HOME=\(world.files)", "XDG_DATA_HOME=\(data)",
        "XDG_DATA_DIRS=\(system)", "XDG_CONFIG_HOME=\(config)", "XDG_CONFIG_DIRS=\(system)",
        "XDG_CACHE_HOME=\(cache)", "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere",
        "XDG_CURRENT_DESKTOP=fixture",
      ]
        + ["LD_LIBRARY_PATH", "TSAN_OPTIONS"].compactMap { name in
          Environment.value(of: name).map { "\(name)=\($0)" }
        }
    }
  }

  /// Installs a program.
  func install(
    _ id: String,
    in directory: FilePath? = nil,
    types: String = "text/plain;",
    exec: String,
    more: String = ""
  ) async throws {
    let text = """
      [Desktop Entry]
      Type=Application
      Name=\(id) program
      Exec=\(exec)
      MimeType=\(types)
      \(more)

      """
    try put((directory ?? data).appending("applications").appending("\(id).desktop"), text)
    // As `update-desktop-database` would after an installation.
    _ = try await run("/usr/bin/update-desktop-database", "\((directory ?? data))/applications")
  }

  /// Installs `interaction-peer` as a program that writes what it was given to a file.
  func installReceiver(_ id: String, codes: String = "%F", more: String = "") async throws {
    let peer = try World.product("interaction-peer")
    try await install(id, exec: "\(peer) receive \(output(id)) \(codes)", more: more)
  }

  /// Puts a script before all programs of its name.
  func installTool(_ name: String, _ script: String) throws {
    let place = system.appending("bin")
    try FileSystem.makeDirectories(place)
    try put(place.appending(name), "#!/bin/sh\n\(script)\n")
    try FileSystem.setPermissions(place.appending(name), 0o755)
  }

  /// Where the receiver of this name writes.
  func output(_ id: String) -> FilePath { config.appending("\(id).json") }

  /// What a receiver was given.
  struct Received: Decodable {
    let arguments: [String]
    let note: String?
    let isStillInEnvironment: Bool
    let startupID: String?
  }

  func received(_ id: String) async throws -> Received {
    let path = output(id).description
    return try await eventually("\(id) is started") {
      guard let data = FileManager.default.contents(atPath: path) else { return nil }
      return try JSONDecoder().decode(Received.self, from: data)
    }
  }

  func put(_ path: FilePath, _ text: String) throws {
    let file = try Descriptor.open(path, [.writeOnly, .create, .truncate])
    try file.write(Array(text.utf8))
  }

  struct Result {
    let status: Int32
    let output: String
    let errors: String
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// Runs a program to its end.
  func run(_ program: String, _ arguments: String..., extra: [String] = []) async throws -> Result {
    try await run(program, arguments, extra)
  }

  func filecoord(_ arguments: String..., extra: [String] = []) async throws -> Result {
    try await run(World.product("filecoord").description, arguments, extra)
  }

  func run(_ program: String, _ arguments: [String], _ extra: [String] = []) async throws -> Result
  {
    let output = try MemoryFile.empty()
    let errors = try MemoryFile.empty()
    let input = try Descriptor.open(FilePath("/dev/null"), .readOnly)
    let process = try ChildProcess(
      FilePath(program),
      arguments,
      environment: extra + environment,
      input: input.number,
      output: output.number,
      error: errors.number
    )
    // Not by blocking: the other tests need the thread.
    let end = try await eventually("the end of \(program)", within: .seconds(60)) { process.poll() }
    let status: Int32 =
      switch end {
      case .exited(let status): status
      case .signalled(let number): 128 + number
      }
    return Result(
      status: status,
      output: String(decoding: try output.read(1 << 20, at: 0), as: UTF8.self),
      errors: String(decoding: try errors.read(1 << 20, at: 0), as: UTF8.self)
    )
  }
}
