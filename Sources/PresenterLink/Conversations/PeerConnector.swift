import CoordinationRuntime
import LinuxSystem

/// Makes connections to other processes and keeps idle ones for the next conversation.
final class PeerConnector: Sendable {
  /// A connection, and the number of the last conversation on it.
  struct Connection: Sendable {
    let socket: PacketSocket
    var lastNumber: UInt32
  }
  private struct Idle {
    let connection: Connection
    let since: MonotonicInstant
  }

  private let runtime: RuntimeDirectory
  private let peers: PeerDirectory
  private let index: PeerIndex
  private let ourselves: ProcessIdentity
  private let idle = Mutex<[ProcessIdentity: [Idle]]>([:])

  /// Idle connections that are kept: per process, altogether, and how long.
  private static let mostPerPeer = 4
  private static let mostIdle = 64
  private static let patience = Duration.seconds(30)

  init(
    _ runtime: RuntimeDirectory,
    _ peers: PeerDirectory,
    _ index: PeerIndex,
    ourselves: ProcessIdentity
  ) {
    self.runtime = runtime
    self.peers = peers
    self.index = index
    self.ourselves = ourselves
  }

  /// An idle connection whose peer still lives, if there is one.
  func takeIdle(_ process: ProcessIdentity) -> Connection? {
    while let idle = idle.withLock({ $0[process]?.popLast() }) {
      // Anything but silence (the end, a late answer to somebody who gave up) makes it useless.
      if case .nothing? = try? idle.connection.socket.receive() { return idle.connection }
    }
    return nil
  }

  /// Keeps a connection on which nothing is owed.
  func put(_ connection: Connection, _ process: ProcessIdentity) {
    let now = MonotonicInstant.now
    idle.withLock { idle in
      for key in Array(idle.keys) {
        idle[key]?.removeAll { now >= $0.since + Self.patience }
        if idle[key]?.isEmpty == true { idle[key] = nil }
      }
      let count = idle.values.reduce(0) { $0 + $1.count }
      guard count < Self.mostIdle, (idle[process]?.count ?? 0) < Self.mostPerPeer else { return }
      idle[process, default: []].append(Idle(connection: connection, since: now))
    }
  }

  /// Closes every idle connection: descriptors are scarce.
  func dropIdle() { idle.withLock { $0 = [:] } }

  /// Connects anew.
  ///
  /// - Throws: ESRCH when the process is gone, ECONNREFUSED when it lives and does not listen, EAGAIN
  ///   when its queue is full, EPERM when another user listens there, EMFILE.
  func connect(_ process: ProcessIdentity) throws(SystemError) -> Connection {
    let folder = PeerFolder.name(of: process)
    do throws(SystemError) {
      var descriptor = try UnixSocket.connect(
        in: peers.descriptor.number,
        name: "\(folder)/\(PeerFolder.socket)"
      )
      descriptor.closeInForkedChild()
      let uid = try UnixSocket.credentials(of: descriptor.number).uid
      guard runtime.isAccepted(owner: uid) else { throw SystemError("connect", .notPermitted) }
      let socket = PacketSocket(SharedDescriptor(descriptor))
      try socket.send(LinkPacket(conversation: 0, message: .hello(ourselves)))
      return Connection(socket: socket, lastNumber: 0)
    } catch  where error.code == .again {
      noteFullQueue(of: process)
      throw error.about(folder)
    } catch  where Self.meansUnreachable(error) {
      // A process that we cannot examine counts as living.
      if (try? peers.isAlive(folder)) ?? true {
        throw SystemError("connect", .connectionRefused).about(folder)
      }
      index.noteUnreachable(process)
      throw SystemError("connect", .noProcess).about(folder)
    }
  }

  static func meansUnreachable(_ error: SystemError) -> Bool {
    [.noEntry, .connectionRefused, .connectionReset, .pipe, .notConnected].contains(error.code)
  }

  /// Tells a process whose queue is full that it misses messages: it looks when it reads the queue.
  func noteFullQueue(of process: ProcessIdentity) {
    do throws(SystemError) {
      let word = try Descriptor.open(
        PeerFolder.name(of: process).appending(PeerDirectory.overflow.bytes),
        [.writeOnly, .noFollow, .nonBlocking],
        at: peers.descriptor.number
      )
      try word.write([1, 0, 0, 0], at: 0)
    } catch {
      // Gone, then nothing is missed; or the caller's error is all there is.
    }
  }
}
