import Foundation

/// A provider whose behaviour the test decides, and a mount of its folder; homes of its own for all.
final class MountWorld: Sendable {
  static let identifier = "org.example.mounted"
  let place: URL
  let mountpoint: URL

  init(_ contents: [String: String] = [:], stopAfter: Double = 30) throws {
    place = FileManager.default.temporaryDirectory.appending(path: "mount-\(UUID())")
      .resolvingSymlinksInPath()
    mountpoint = place.appending(path: "mnt")
    for name in ["mnt", "runtime", "control/contents", "data/document-providers"] {
      try FileManager.default.createDirectory(
        at: place.appending(path: name),
        withIntermediateDirectories: true
      )
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700],
      ofItemAtPath: place.appending(path: "runtime").path
    )
    try FileManager.default.createDirectory(at: storage, withIntermediateDirectories: true)
    for (name, text) in contents { try put("control/contents/\(name)", text) }
    let declaration: [String: Any] = [
      "identifier": Self.identifier, "displayName": "Mounted",
      "modes": ["import", "open", "exportToService", "moveToService"],
      "supportedTypes": ["public.data"], "documentGroup": Self.identifier,
      "exec": [Self.product("mounted-peer"), "provide", control.path],
      "stopAfterSeconds": stopAfter, "exitAfterSeconds": 2.0,
    ]
    try JSONSerialization.data(withJSONObject: declaration)
      .write(to: place.appending(path: "data/document-providers/mounted.json"))
  }

  deinit {
    for id in providers { kill(id, SIGKILL) }
    // Whatever a test left behind, nothing of it may stay mounted.
    let unmount = Process()
    unmount.executableURL = URL(filePath: "/usr/bin/fusermount3")
    unmount.arguments = ["-u", "-z", "-q", mountpoint.path]
    try? unmount.run()
    unmount.waitUntilExit()
    try? FileManager.default.removeItem(at: place)
  }

  var control: URL { place.appending(path: "control") }
  var storage: URL {
    place.appending(path: "data/\(Self.identifier)/File Provider Storage")
  }
  /// The path of an item as those see it who use the mount.
  func seen(_ name: String) -> String { mountpoint.appending(path: name).path }
  /// The path of an item in the provider's folder.
  func own(_ name: String) -> String { storage.appending(path: name).path }

  static func product(_ name: String) -> String {
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: name).path
  }

  var environment: [String: String] {
    var variables = [
      "FILE_COORDINATION_DIR": place.appending(path: "runtime").path,
      "XDG_DATA_HOME": place.appending(path: "data").path,
      "XDG_DATA_DIRS": place.appending(path: "none").path,
      "XDG_STATE_HOME": place.appending(path: "state").path,
      "HOME": place.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
    ]
    variables["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    return variables
  }

  // MARK: files behind the mount

  func put(_ name: String, _ text: String) throws {
    let url = place.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url, options: .atomic)
  }
  func text(_ name: String) -> String? {
    (try? Data(contentsOf: place.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
  }
  /// What a provider wrote where only this is of an item.
  func placeholder(_ name: String, _ metadata: [String: Any] = [:]) throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: metadata,
      format: .binary,
      options: 0
    )
    try data.write(to: placeholder(of: name))
  }
  func placeholder(of name: String) -> URL {
    let url = storage.appending(path: name)
    return url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).placeholder")
  }
  func isHere(_ name: String) -> Bool {
    !FileManager.default.fileExists(atPath: placeholder(of: name).path)
      && FileManager.default.fileExists(atPath: own(name))
  }

  // MARK: the provider

  func deliveries(_ way: String, of name: String? = nil) throws {
    try put("control/start" + (name.map { "-\($0)" } ?? ""), way)
  }
  var log: [String] { (text("control/log") ?? "").split(separator: "\n").map(String.init) }
  func calls(_ prefix: String) -> [String] { log.filter { $0.hasPrefix(prefix) } }

  func makeGate() async throws {
    _ = try await run("mkfifo", control.appending(path: "gate").path)
  }
  /// Lets deliveries go on that wait.
  func openGate() async throws {
    _ = try await run("timeout", "10", "sh", "-c", ": > '\(control.path)/gate'")
  }

  /// The processes of the provider.
  var providers: [Int32] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap(Int32.init).filter { id in
      // Processes end while they are looked at.
      guard let words = try? Data(contentsOf: URL(filePath: "/proc/\(id)/cmdline")) else {
        return false
      }
      return String(decoding: words, as: UTF8.self).contains("provide\0\(control.path)\0")
    }
  }

  // MARK: programs

  func start(_ words: String..., input: String? = nil) throws -> Command {
    let program = words[0]
    let isOurs = ["mounted-peer", "provider-mount"].contains(program)
    return try Command(
      isOurs ? Self.product(program) : "/usr/bin/env",
      isOurs ? Array(words.dropFirst()) : words,
      environment: environment,
      input: input
    )
  }

  /// Runs a program to its end.
  func run(_ words: String..., input: String? = nil) async throws -> Command.Outcome {
    let program = words[0]
    let isOurs = ["mounted-peer", "provider-mount"].contains(program)
    return try await Command(
      isOurs ? Self.product(program) : "/usr/bin/env",
      isOurs ? Array(words.dropFirst()) : words,
      environment: environment,
      input: input
    ).end()
  }

  /// Runs a line of shell, with the mount as its working directory.
  func shell(_ line: String) async throws -> Command.Outcome {
    try await run("sh", "-c", "cd '\(mountpoint.path)' || exit 99\n\(line)")
  }
  func startShell(_ line: String) throws -> Command {
    try start("sh", "-c", "cd '\(mountpoint.path)' || exit 99\n\(line)")
  }

  /// Mounts the folder, and waits until it is.
  func mount() async throws -> Command {
    let mount = try start("provider-mount", Self.identifier, mountpoint.path)
    try await eventually("it is mounted: \(mount.text("err"))") {
      if !mount.isRunning { throw NotInTime(description: mount.text("err")) }
      return mount.text("out").contains("mounted")
    }
    return mount
  }

  /// Asks the kernel's table; read piece by piece, since its length is not known before.
  var isMounted: Bool {
    guard let file = FileHandle(forReadingAtPath: "/proc/self/mountinfo") else { return false }
    var table = Data()
    while let part = try? file.read(upToCount: 4096), !part.isEmpty { table += part }
    return String(decoding: table, as: UTF8.self).contains(" \(mountpoint.path) ")
  }
}
