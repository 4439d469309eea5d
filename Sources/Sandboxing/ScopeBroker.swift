import CoordinationRuntime
import DesktopPortal
import FileCoordination
import Foundation
import LinuxSystem
import SessionBus

/// The other end of a confined program's line: gives it what the user chose, and nothing else.
///
/// One thread reads its questions; what takes long (the user) is a task. It trusts nothing that the
/// program says: a question that makes no sense ends the line.
final class ScopeBroker: Sendable {
  typealias Chooser = @Sendable (FileScope.DocumentRequest) async throws -> [URL]
  private let application: String
  private let socket: SharedDescriptor
  private let portal: DocumentPortal?
  private let grants: GrantStore
  private let choose: Chooser

  init(
    application: String,
    socket: SharedDescriptor,
    portal: DocumentPortal?,
    choose: @escaping Chooser
  ) throws(SandboxError) {
    self.application = application
    self.socket = socket
    self.portal = portal
    self.choose = choose
    grants = try GrantStore(application: application)
  }

  func start() throws(SystemError) {
    try BlockingThread.start("fc-broker") { [self] in
      while UnixSocket.waitReadable(socket.number, until: nil), read() {}
      UnixSocket.shutDown(socket.number)
    }
  }

  /// Ends the line; the program's questions fail from then on.
  func stop() { UnixSocket.shutDown(socket.number) }

  private func read() -> Bool {
    do {
      switch try UnixSocket.receive(from: socket.number) {
      case .packet(let bytes, let descriptors):
        // None is ever wanted.
        for number in descriptors { _ = SharedDescriptor(Descriptor(owning: number)) }
        answer(try BrokerMessage.decode(BrokerMessage.Request.self, from: bytes))
        return true
      case .nothing: return true
      case .closed: return false
      }
    } catch { return false }
  }

  private func answer(_ request: BrokerMessage.Request) {
    let number = request.number
    switch request.wish {
    case .choose(let wish): Task { [self] in reply(number, await chosen(wish)) }
    case .regain(let path): reply(number, regained(BrokerMessage.path(path)))
    case .open(let path, let forWriting): open(number, BrokerMessage.path(path), forWriting)
    }
  }

  private func reply(
    _ number: UInt64,
    _ outcome: BrokerMessage.Reply.Outcome,
    _ descriptors: [CInt] = []
  ) {
    do {
      let packet = try BrokerMessage.encode(BrokerMessage.Reply(number: number, outcome: outcome))
      try UnixSocket.send(packet, descriptors: descriptors, to: socket.number)
    } catch {
      // A program that does not read its answers, or is gone, gets none any more.
      UnixSocket.shutDown(socket.number)
    }
  }

  // MARK: Wishes

  private func chosen(_ wish: FileScope.DocumentRequest) async -> BrokerMessage.Reply.Outcome {
    do {
      let urls = try await choose(wish)
      if urls.isEmpty { return .cancelled }
      return .documents(paths: try urls.map { BrokerMessage.data(try give($0, writable: true)) })
    } catch { return .failed("\(error)") }
  }

  /// Gives a file to the program; the path is where it finds it.
  func give(_ url: URL, writable: Bool) throws -> FilePath {
    guard let spelled = FilePath(url) else {
      throw SandboxError.cannotGrant("\(url) is not the URL of a file")
    }
    let path = try FileSystem.realPath(spelled)
    return try give(path, writable: writable)
  }

  private func give(_ path: FilePath, writable: Bool) throws -> FilePath {
    guard let portal else {
      try grants.add(path, writable: writable, document: nil)
      return path
    }
    do {
      let document = try portal.grant(
        path,
        to: application,
        writable: writable,
        isPersistent: true
      )
      try PortalPaths.note(id: document.id, below: portal.mount, is: path)
      try grants.add(path, writable: writable, document: document.id)
      return document.path
    } catch let error as PortalError {
      throw SandboxError.cannotGrant("\(path) could not be given to “\(application)”: \(error)")
    }
  }

  /// Takes a file away again; false where it was not given.
  func revoke(_ url: URL) throws -> Bool {
    guard let spelled = FilePath(url) else { return false }
    // A file that is gone was given under the path that it had.
    let path = (try? FileSystem.realPath(spelled)) ?? spelled
    var grant = try grants.remove(path)
    // Or it was given under another name.
    if grant == nil, try grants.followed(path) != nil { grant = try grants.remove(path) }
    guard let grant else { return false }
    for id in grant.documents { try portal?.revoke(id, from: application) }
    return true
  }

  /// The grant that covers a path, and the path without links, or what it is after a rename.
  private func granted(_ asked: FilePath) throws -> (grant: GrantStore.Grant, path: FilePath)? {
    let path: FilePath
    do throws(SystemError) { path = try FileSystem.realPath(asked) } catch {
      guard error.code == .noEntry, let found = try grants.followed(asked) else { throw error }
      return found
    }
    if let grant = grants.grant(of: path) { return (grant, path) }
    return try grants.followed(path)
  }

  private func regained(_ asked: FilePath) -> BrokerMessage.Reply.Outcome {
    do {
      guard let (grant, path) = try granted(asked) else {
        return .denied("it was not given to “\(application)”, or was taken back")
      }
      return .documents(paths: [BrokerMessage.data(try give(path, writable: grant.writable))])
    } catch { return .failed("\(error)") }
  }

  private func open(_ number: UInt64, _ path: FilePath, _ forWriting: Bool) {
    do {
      // Without links: what was granted is what is opened.
      guard let (grant, path) = try granted(path), grant.writable || !forWriting else {
        return reply(
          number,
          .denied("it was not given to “\(application)” to be \(forWriting ? "written" : "read")")
        )
      }
      let file = SharedDescriptor(
        try Descriptor.open(
          path,
          [forWriting ? .readWrite : .readOnly, .noFollow, .nonBlocking]
        )
      )
      guard try FileStatus(ofNumber: file.number).kind == .regular else {
        return reply(number, .denied("only files are handed over as descriptors"))
      }
      reply(number, .opened, [file.number])
    } catch { reply(number, .failed("\(error)")) }
  }
}
