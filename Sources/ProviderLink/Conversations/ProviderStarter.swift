import LinuxSystem

/// Connects to a provider's process, and starts it where it does not run; a lock decides who.
struct ProviderStarter {
  private let declaration: ProviderDeclaration
  private let place: ProviderPlace

  init(_ declaration: ProviderDeclaration, _ place: ProviderPlace) {
    self.declaration = declaration
    self.place = place
  }

  /// What the started process finds in its environment.
  static let socketVariable = "FILE_PROVIDER_SOCKET"
  static let identifierVariable = "FILE_PROVIDER_IDENTIFIER"

  /// A connection, and whether this process started the one it leads to.
  func connect(
    until deadline: MonotonicInstant,
    _ wait: ProviderConnection.Wait
  ) throws(ProviderFailure) -> (SharedDescriptor, isOurs: Bool) {
    if let socket = try connectOnly() { return (socket, false) }
    do {
      let lock = try place.startLock()
      // Held for as long as a program takes to start, or a process to end.
      while try !lock.tryLock(.exclusive) {
        if MonotonicInstant.now >= deadline { throw SystemError("flock", .timedOut) }
        ShortPause.run(until: deadline)
      }
      if let socket = try connectOnly() { return (socket, false) }
      try start()
      guard let socket = try connectOnly() else { throw ProviderFailure.died }
      return (socket, true)
    } catch let error as ProviderFailure {
      throw error
    } catch let error as SystemError {
      throw error.code == .timedOut ? .silent : .unreachable(error)
    } catch {
      throw .garbled
    }
  }

  /// A connection to the process that listens now; nil if none does.
  func connectOnly() throws(ProviderFailure) -> SharedDescriptor? {
    let deadline = MonotonicInstant.now + .seconds(20)
    while true {
      do throws(SystemError) {
        let socket = try UnixSocket.connect(in: place.directory.number, name: ProviderPlace.socket)
        guard try UnixSocket.credentials(of: socket.number).uid == Environment.user else {
          throw SystemError("connect", .notPermitted).about(place.path)
        }
        return SharedDescriptor(socket)
      } catch  where error.code == .again && MonotonicInstant.now < deadline {
        // Its backlog is full: many want something at once.
        ShortPause.run(until: deadline)
      } catch {
        if [.noEntry, .connectionRefused].contains(error.code) { return nil }
        throw .unreachable(error)
      }
    }
  }

  /// Makes the socket and starts the program on it: who connects from now on waits in its backlog.
  private func start() throws(ProviderFailure) {
    place.removeSocket()
    guard let program = declaration.exec.first else { throw .garbled }
    do throws(SystemError) {
      let listener = try UnixSocket.listen(
        in: place.directory.number,
        name: ProviderPlace.socket
      )
      let log = try place.log()
      let own = [Self.socketVariable, Self.identifierVariable]
      let environment = Environment.variables.filter { variable in
        !own.contains { variable.hasPrefix("\($0)=") }
      }
      try ChildProcess.startDetached(
        FilePath(program),
        Array(declaration.exec.dropFirst()),
        environment: environment + [
          "\(Self.socketVariable)=\(listener.number)",
          "\(Self.identifierVariable)=\(declaration.identifier)",
        ],
        log: log.number,
        keeping: listener.number
      )
    } catch {
      place.removeSocket()
      throw error.call == "execve" ? .cannotStart(error) : .unreachable(error)
    }
  }
}
