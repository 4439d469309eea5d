import AccessClaims
import CoordinationRuntime
import LinuxSystem

/// The way between the claim tables of two peers: a socket in each one's folder, one request per
/// connection.
final class PeerLink: PurposePartners {
  private static let name = "partners"
  private let runtime: RuntimeDirectory

  init(_ runtime: RuntimeDirectory) { self.runtime = runtime }

  func request(_ bytes: [UInt8], of process: ProcessIdentity, until deadline: MonotonicInstant)
    -> (bytes: [UInt8], descriptors: [SharedDescriptor])?
  {
    do throws(SystemError) {
      let folder = RuntimeDirectory.peers.appending(PeerFolder.name(of: process).bytes)
      let directory = try Descriptor.open(
        folder,
        [.readOnly, .directory],
        at: runtime.descriptor.number
      )
      let socket = try UnixSocket.connect(in: directory.number, name: Self.name)
      try UnixSocket.send(bytes, to: socket.number)
      guard UnixSocket.waitReadable(socket.number, until: deadline) else { return nil }
      return try Self.receive(socket.number)
    } catch {
      return nil
    }
  }

  private static func receive(_ socket: CInt) throws(SystemError)
    -> (bytes: [UInt8], descriptors: [SharedDescriptor])?
  {
    switch try UnixSocket.receive(from: socket) {
    case .packet(let bytes, let descriptors):
      return (bytes, descriptors.map { SharedDescriptor(Descriptor(owning: $0)) })
    case .nothing: return nil
    case .closed: return nil
    }
  }

  /// Answers others for as long as the process lives.
  func listen(_ table: ClaimTable) throws {
    let folder = try PeerFolder.ours(in: runtime)
    let listener = SharedDescriptor(
      try UnixSocket.listen(in: folder.directory.number, name: Self.name)
    )
    try BlockingThread.start("partners") {
      while true {
        guard UnixSocket.waitReadable(listener.number, until: nil) else { continue }
        // A connection that fails is the asker's trouble.
        guard let number = try? UnixSocket.accept(listener.number) else { continue }
        let socket = SharedDescriptor(Descriptor(owning: number))
        guard UnixSocket.waitReadable(socket.number, until: nil),
          let bytes = try? Self.receive(socket.number)?.bytes
        else { continue }
        table.serve(bytes) { reply, descriptors in
          try? UnixSocket.send(
            reply,
            descriptors: descriptors.map(\.number),
            to: socket.number
          )
        }
      }
    }
  }
}
