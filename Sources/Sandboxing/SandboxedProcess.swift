import CoordinationRuntime
import DesktopPortal
public import FileCoordination
public import Foundation
import LinuxSystem
import SessionBus

/// A program that the kernel keeps from every file but its own and those that the user gave it.
///
/// Confined by Landlock before it runs, with all that it starts, and for good. Files are given to it
/// through the document portal, or as descriptors, by a broker in this process: when this process
/// ends, the program keeps what it has and gets nothing more. The program is killed when the value
/// ends.
/// - SeeAlso: landlock(7), org.freedesktop.portal.Documents
public final class SandboxedProcess: Sendable {
  /// How a program ended.
  public enum End: Hashable, Sendable {
    case exited(Int32)
    case killed(bySignal: Int32)
  }

  private let process: ChildProcess
  private let broker: ScopeBroker

  /// Its process id.
  public var processIdentifier: Int32 { process.pid }

  /// Starts a program in a sandbox.
  ///
  /// Blocks until it runs, which with the document portal takes as long as the portal's start.
  /// - Parameters:
  ///   - program: Its file.
  ///   - arguments: What follows its name.
  ///   - sandbox: What it may touch.
  ///   - input: Where its standard input comes from; nil: from where ours does.
  ///   - output: Where its standard output goes; nil: where ours does.
  ///   - errors: Where its standard error goes; nil: where ours does.
  ///   - choose: Shows the user a dialog, in this process, and returns what was chosen; none means
  ///     cancelled. Called from a task of its own for every wish of the program.
  /// - Throws: ``SandboxError`` that says which of Landlock, portal and FUSE is missing, or why the
  ///   program did not start. Nothing ever runs unconfined instead.
  public init(
    _ program: URL,
    arguments: [String] = [],
    in sandbox: Sandbox,
    input: FileHandle? = nil,
    output: FileHandle? = nil,
    errors: FileHandle? = nil,
    choosing choose: @escaping @Sendable (FileScope.DocumentRequest) async throws -> [URL]
  ) throws(SandboxError) {
    guard sandbox.isNamedWell else {
      throw .invalid("“\(sandbox.application)” names no application: org.example.App would")
    }
    guard let path = FilePath(program), let container = FilePath(sandbox.container) else {
      throw .invalid("program and container must be URLs of files")
    }
    let rules: LandlockRules
    do throws(SystemError) { rules = try LandlockRules() } catch {
      throw SandboxError(landlock: error)
    }
    let portal = try Self.portal(for: sandbox)
    let home = try Self.allow(rules, sandbox, path, container, portal)
    let (ours, theirs): (SharedDescriptor, SharedDescriptor)
    do throws(SystemError) { (ours, theirs) = try UnixSocket.pair() } catch {
      throw .cannotStart("there is no line to the sandbox: \(error)")
    }
    broker = try ScopeBroker(
      application: sandbox.application,
      socket: ours,
      portal: portal,
      choose: choose
    )
    process = try Self.start(
      path,
      arguments,
      Self.environment(sandbox, home, portal, socket: theirs.number),
      [input, output, errors].map { $0?.fileDescriptor ?? -1 },
      theirs,
      rules,
      home
    )
    do throws(SystemError) { try broker.start() } catch {
      throw .cannotStart("no thread for the broker: \(error)")
    }
  }

  deinit { broker.stop() }

  // MARK: Files

  /// Gives the program a file, or a folder and all it holds, without asking the user.
  ///
  /// Blocks until the portal has answered.
  /// - Returns: where the program finds it.
  /// - Throws: ``SandboxError``, and what looking at the file throws.
  @discardableResult
  public func grant(_ url: URL, writable: Bool = true) throws -> URL {
    try broker.give(url, writable: writable).url()
  }

  /// Takes a file away: the program cannot open it any more, but keeps what it has open.
  ///
  /// - Returns: false where it was not given.
  @discardableResult
  public func revoke(_ url: URL) throws -> Bool { try broker.revoke(url) }

  // MARK: The process

  /// Asks the program to end (SIGTERM).
  public func terminate() { process.send(.terminate) }

  /// Ends the program (SIGKILL).
  public func kill() { process.send(.kill) }

  /// Suspends until the program has ended.
  public func end() async -> End {
    let process = process
    let end = await withCheckedContinuation { continuation in
      let wait: @Sendable () -> Void = { continuation.resume(returning: process.wait()) }
      // No thread to be had: wait on this one after all.
      if (try? BlockingThread.start("fc-sandbox", wait)) == nil { wait() }
    }
    return switch end {
    case .exited(let status): .exited(status)
    case .signalled(let number): .killed(bySignal: number)
    }
  }

  // MARK: Setting up

  private static func start(
    _ program: FilePath,
    _ arguments: [String],
    _ environment: [String],
    _ streams: [CInt],
    _ socket: SharedDescriptor,
    _ rules: LandlockRules,
    _ home: FilePath
  ) throws(SandboxError) -> ChildProcess {
    do throws(SystemError) {
      return try ChildProcess(
        program,
        arguments,
        environment: environment,
        input: streams[0],
        output: streams[1],
        error: streams[2],
        keeping: [socket.number],
        confinedBy: rules,
        in: home
      )
    } catch {
      if error.call == "landlock_restrict_self" { throw SandboxError(landlock: error) }
      throw .cannotStart("\(program) could not be started in the sandbox: \(error)")
    }
  }

  private static func portal(for sandbox: Sandbox) throws(SandboxError) -> DocumentPortal? {
    guard sandbox.documents == .portal else { return nil }
    do {
      return try DocumentPortal(bus: SessionBus(address: sandbox.busAddress))
    } catch let error as PortalError {
      throw SandboxError(portal: error)
    } catch {
      throw .noDocumentPortal("documents cannot be shown to a confined program: \(error)")
    }
  }

  /// Makes the rules; the container's canonical path comes back.
  private static func allow(
    _ rules: LandlockRules,
    _ sandbox: Sandbox,
    _ program: FilePath,
    _ container: FilePath,
    _ portal: DocumentPortal?
  ) throws(SandboxError) -> FilePath {
    do {
      let home = try makeContainer(container)
      try rules.allow(.changing, below: home)
      // A view is there before anything is shown in it.
      if let portal { try rules.allow(.changing, below: portal.view(of: sandbox.application)) }
      try rules.allow(.changing, below: try RuntimeDirectory.shared().path)
      for (place, rights) in Sandbox.systemPlaces {
        try allowIfPresent(rules, rights, FilePath(place))
      }
      try rules.allow(.running, below: try FileSystem.realPath(program))
      for place in sandbox.readable.compactMap({ FilePath($0) }) {
        try rules.allow(.running, below: place)
      }
      return home
    } catch {
      throw .cannotStart("the sandbox of “\(sandbox.application)” could not be set up: \(error)")
    }
  }

  private static func makeContainer(_ container: FilePath) throws(SystemError) -> FilePath {
    try FileSystem.makeDirectories(container)
    let home = try FileSystem.realPath(container)
    for name in ["tmp", "data", "state", "cache", "config"] {
      try FileSystem.makeDirectories(home.appending(name))
    }
    return home
  }

  private static func allowIfPresent(
    _ rules: LandlockRules,
    _ rights: LandlockRules.Rights,
    _ place: FilePath
  ) throws(SystemError) {
    do throws(SystemError) { try rules.allow(rights, below: place) } catch {
      if error.code != .noEntry { throw error }
    }
  }

  private static func environment(
    _ sandbox: Sandbox,
    _ home: FilePath,
    _ portal: DocumentPortal?,
    socket: CInt
  ) -> [String] {
    var variables = [
      "HOME": "\(home)", "TMPDIR": "\(home.appending("tmp"))",
      "XDG_DATA_HOME": "\(home.appending("data"))", "XDG_STATE_HOME": "\(home.appending("state"))",
      "XDG_CACHE_HOME": "\(home.appending("cache"))",
      "XDG_CONFIG_HOME": "\(home.appending("config"))", "PATH": "/usr/bin:/bin",
    ]
    for name in ["LANG", "LC_ALL", "TERM", "LD_LIBRARY_PATH", "TZ"] {
      if let value = Environment.value(of: name)?.string { variables[name] = value }
    }
    variables.merge(sandbox.environment) { $1 }
    // Last: what makes it a sandbox is not for others to set.
    if let runtime = try? RuntimeDirectory.shared() {
      variables["FILE_COORDINATION_DIR"] = "\(runtime.path)"
    }
    variables[BrokerMessage.variable] = "\(socket)"
    variables[BrokerMessage.applicationVariable] = sandbox.application
    if let portal { variables[PortalPaths.variable] = "\(portal.mount)" }
    return variables.map { "\($0.key)=\($0.value)" }.sorted()
  }
}
