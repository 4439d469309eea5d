import LinuxSystem
import TestSupport

/// Files, a bus and programs of one test.
final class SandboxWorld: Sendable {
  let directory: TemporaryDirectory
  let bus: PrivateBus
  let files: FilePath
  let container: FilePath

  init(@FileTreeBuilder _ items: () -> [any FileTreeItem] = { [] }) async throws {
    directory = try TemporaryDirectory()
    files = directory.path.appending("files")
    container = directory.path.appending("container")
    try FileSystem.makeDirectory(files)
    try FileTree.write(into: files, items)
    bus = try await PrivateBus(in: directory.path)
  }

  func path(_ name: String) -> String { files.appending(name).description }
  func text(_ name: String) throws -> String {
    String(
      decoding: try Descriptor.open(files.appending(name), .readOnly).readToEnd(),
      as: UTF8.self
    )
  }

  var environment: [String] {
    bus.environment + [
      "FILE_COORDINATION_DIR=\(directory.path.appending("runtime"))",
      "XDG_STATE_HOME=\(directory.path.appending("state"))",
      "XDG_DATA_HOME=\(directory.path.appending("data"))", "HOME=\(directory.path)",
      "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no",
    ]
      + ["LD_LIBRARY_PATH", "TSAN_OPTIONS"].compactMap { name in
        Environment.value(of: name).map { "\(name)=\($0)" }
      }
  }

  /// A confined program and its host.
  func host(
    _ application: String = "org.example.App",
    _ kind: String = "portal",
    environment: [String]? = nil
  ) async throws -> LineProcess {
    let host = try LineProcess(
      World.product("sandbox-peer"),
      ["host", application, container.description, kind],
      environment: environment ?? self.environment
    )
    return host
  }

  /// A host whose confined program is ready.
  func running(
    _ application: String = "org.example.App",
    _ kind: String = "portal"
  ) async throws -> LineProcess {
    let host = try await host(application, kind)
    try await host.expect("started ")
    let isConfined = try await host.expect("ready ")
    if isConfined != "true" { throw NotInTime("the program has no broker") }
    return host
  }

  /// An ordinary program.
  func plain() async throws -> LineProcess {
    let plain = try LineProcess(
      World.product("sandbox-peer"),
      ["plain"],
      environment: environment
    )
    try await plain.expect("ready false")
    return plain
  }
}
