package import LinuxSystem
import PeerScript

/// A runtime directory and a place for files of one test, and the peers that share them.
package final class World: Sendable {
  private let directory: TemporaryDirectory
  /// `FILE_COORDINATION_DIR` of its peers.
  package let runtime: FilePath
  /// Where the test's files are.
  package let files: FilePath

  /// Makes both directories.
  ///
  /// In a shared world users other than ours may enter; the runtime directory belongs to a group.
  package init(
    isShared: Bool = false,
    @FileTreeBuilder _ items: () -> [any FileTreeItem] = { [] }
  ) throws {
    directory = try TemporaryDirectory(mode: isShared ? 0o755 : 0o700)
    runtime = directory.path.appending("runtime")
    files = directory.path.appending("files")
    try FileSystem.makeDirectory(runtime, mode: isShared ? 0o770 : 0o700)
    try FileSystem.makeDirectory(files, mode: isShared ? 0o777 : 0o755)
    if isShared { try FileSystem.setPermissions(files, 0o777) }
    try FileTree.write(into: files, items)
  }

  /// The path of a file of the test.
  package func path(_ name: String) -> String { files.appending(name).description }

  /// The contents of a file of the test.
  package func contents(_ name: String) throws -> String {
    let file = try Descriptor.open(files.appending(name), .readOnly)
    return String(decoding: try file.readToEnd(), as: UTF8.self)
  }

  package func exists(_ name: String) -> Bool {
    // Whatever keeps it from being looked at, it is not there for the test.
    (try? FileStatus(of: files.appending(name))) != nil
  }

  /// Writes a file as a program that knows nothing of coordination would.
  package func put(_ name: String, _ text: String) throws {
    try File(name, text).write(into: files)
  }

  /// The names in a directory of the test.
  package func list(_ name: String = "") throws -> [String] {
    try FileSystem.list(name.isEmpty ? files : files.appending(name))
      .map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// Who a peer runs as.
  package enum User: Sendable { case ours, nobody }

  /// Starts a peer and waits until it listens.
  ///
  /// The environment comes before what a peer needs, and wins.
  package func peer(
    _ name: String,
    user: User = .ours,
    environment: [String] = []
  ) async throws -> Peer {
    let program = try Self.program()
    let needed = ["FILE_COORDINATION_DIR=\(runtime)", "PATH=/usr/bin:/bin"] + Self.inherited
    let variables = environment + needed
    let peer: Peer
    switch user {
    case .ours:
      peer = try Peer(
        name: name,
        in: directory,
        program: program,
        arguments: [name],
        environment: variables
      )
    case .nobody:
      peer = try Peer(
        name: name,
        in: directory,
        program: FilePath("/usr/bin/setpriv"),
        arguments: [
          "--reuid=65534", "--regid=\(Self.group)", "--clear-groups", "--", try copy(of: program),
          name,
        ],
        environment: variables
      )
    }
    try await peer.expect(name, "ready")
    return peer
  }

  /// Starts a peer with exactly this environment.
  package func peer(_ name: String, exactly environment: [String]) async throws -> Peer {
    let peer = try Peer(
      name: name,
      in: directory,
      program: try Self.program(),
      arguments: [name],
      environment: environment + Self.sanitizers
    )
    try await peer.expect(name, "ready")
    return peer
  }

  /// Starts a peer below another program, for example one that changes its view of the mounts.
  package func peer(
    _ name: String,
    below program: String,
    _ arguments: [String]
  ) async throws -> Peer {
    let peer = try Peer(
      name: name,
      in: directory,
      program: FilePath(program),
      arguments: arguments + [try Self.program().description, name],
      environment: ["FILE_COORDINATION_DIR=\(runtime)", "PATH=/usr/bin:/bin"] + Self.inherited
    )
    try await peer.expect(name, "ready")
    return peer
  }

  /// The group of nobody, which shares a shared world.
  package static let group: UInt32 = 65534

  /// A copy that every user can run: the build directory may be closed to others.
  private func copy(of program: FilePath) throws -> String {
    let path = directory.path.appending("peer")
    if (try? FileStatus(of: path)) == nil {
      // By another program: a child that we fork meanwhile would hold the copy open for writing, and
      // then nobody could run it.
      try ChildProcess(FilePath("/bin/cp"), [program.description, path.description]).wait()
      try FileSystem.setPermissions(path, 0o755)
    }
    return path.description
  }

  /// `coordination-peer`, built beside the tests.
  package static func program() throws -> FilePath {
    try product("coordination-peer")
  }

  /// A program of this package, built beside the tests.
  package static func product(_ name: String) throws -> FilePath {
    let tests = try FileSystem.readLink(FilePath("/proc/self/exe"))
    guard let directory = tests.parent else { throw NotInTime("no directory of \(tests)") }
    return directory.appending(name)
  }

  /// What a sanitizer or a toolchain outside the default place needs.
  private static var inherited: [String] {
    // A peer that crashes says where.
    sanitizers + values(of: ["HOME", "FILE_COORDINATION_MUTATION"])
      + ["SWIFT_BACKTRACE=enable=yes,color=no,interactive=no"]
  }

  private static var sanitizers: [String] {
    values(of: ["LD_LIBRARY_PATH", "TSAN_OPTIONS", "ASAN_OPTIONS"])
  }

  private static func values(of names: [String]) -> [String] {
    names.compactMap { name in Environment.value(of: name).map { "\(name)=\($0)" } }
  }
}
