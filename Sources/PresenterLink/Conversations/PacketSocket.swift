import LinuxSystem

/// A connected socket that carries the packets of this protocol.
///
/// Nothing here waits.
final class PacketSocket: Sendable {
  private let descriptor: SharedDescriptor
  var number: CInt { descriptor.number }

  init(_ descriptor: SharedDescriptor) { self.descriptor = descriptor }

  /// What came.
  enum Received {
    case packet(LinkPacket, descriptors: [SharedDescriptor])
    case nothing
    /// The other side closed, or died.
    case closed
    /// Something that is not a packet of this version.
    case fault(LinkPacket.Fault)
  }

  /// Sends one message.
  ///
  /// - Throws: EAGAIN when the other side's queue is full, EPIPE when it is gone, EMSGSIZE for a
  ///   message that is too long.
  func send(_ packet: LinkPacket, descriptors: [CInt] = []) throws(SystemError) {
    guard descriptors.count <= LinkPacket.mostDescriptors, let encoded = packet.encoded()
    else { throw SystemError("sendmsg", .messageTooLong) }
    guard encoded.body.count > LinkPacket.bodyInPacket else {
      return try UnixSocket.send(
        encoded.header + encoded.body,
        descriptors: descriptors,
        to: number
      )
    }
    let file = try MemoryFile.make(encoded.body)
    var header = encoded.header
    header[8] |= 1
    try UnixSocket.send(header, descriptors: [file.number] + descriptors, to: number)
  }

  /// Takes the next message, if one is there.
  func receive() throws(SystemError) -> Received {
    do throws(SystemError) {
      switch try UnixSocket.receive(from: number) {
      case .nothing: return .nothing
      case .closed: return .closed
      case .packet(let bytes, let numbers):
        return decode(bytes, numbers.map { SharedDescriptor(Descriptor(owning: $0)) })
      }
    } catch  where error.code == .messageTooLong {
      return .fault(.malformed("longer than any packet"))
    }
  }

  private func decode(_ bytes: [UInt8], _ descriptors: [SharedDescriptor]) -> Received {
    var descriptors = descriptors
    do throws(LinkPacket.Fault) {
      let packet = try LinkPacket.decode(bytes) { () throws(SystemError) in
        guard !descriptors.isEmpty else { throw SystemError("recvmsg", .badMessage) }
        return try MemoryFile.read(
          descriptors.removeFirst().number,
          limit: LinkPacket.longestBody
        )
      }
      return .packet(packet, descriptors: descriptors)
    } catch { return .fault(error) }
  }

  /// Ends the connection, whoever else holds it.
  func shutDown() { UnixSocket.shutDown(number) }
}
