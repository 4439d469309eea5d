import CoordinationRuntime
import LinuxSystem

/// The frame of one message: twelve bytes, then the body.
///
///     0  'F' 'C'
///     2  version
///     3  type
///     4  conversation, 32 bits, little-endian: counts the conversations of a connection
///     8  flags: bit 0: the body lies in a sealed memory file, the first descriptor
///     9  three zeros
package struct LinkPacket: Sendable, Hashable {
  /// Raised when an old reader would misunderstand; see docs/wire-protocol.md.
  package static let version: UInt8 = 1
  package static let headerLength = 12
  /// Longer bodies travel in a memory file.
  package static let bodyInPacket = 32 * 1024
  /// No body is longer; also what a receiver reads at most.
  package static let longestBody = 8 * 1024 * 1024
  /// No list in a message is longer.
  package static let mostElements = 100_000
  /// Descriptors of the message itself, beside the memory file.
  package static let mostDescriptors = 32

  package var conversation: UInt32
  package var message: LinkMessage

  package init(conversation: UInt32, message: LinkMessage) {
    self.conversation = conversation
    self.message = message
  }

  /// A packet that is not of this version, or not one at all.
  package enum Fault: Error {
    case version(UInt8)
    case malformed(String)
  }

  /// The frame and the body, apart; nil for a message that no reader would take.
  package func encoded() -> (header: [UInt8], body: [UInt8])? {
    var header = WireWriter()
    header.bytes = [UInt8(ascii: "F"), UInt8(ascii: "C"), Self.version, message.type]
    header.put(conversation)
    header.bytes += [0, 0, 0, 0]
    var body = WireWriter()
    message.put(into: &body)
    guard !body.isRefusable, body.bytes.count <= Self.longestBody else { return nil }
    return (header.bytes, body.bytes)
  }

  /// Takes a packet apart; `bodyFile` reads the body where it lies in a memory file.
  package static func decode(
    _ bytes: [UInt8],
    bodyFile: () throws -> [UInt8]
  ) throws(Fault) -> LinkPacket {
    do {
      var reader = WireReader(bytes[...])
      guard try reader.take(2).elementsEqual([UInt8(ascii: "F"), UInt8(ascii: "C")]) else {
        throw WireFault("no packet of ours")
      }
      let version = try reader.byte()
      guard version == Self.version else { throw Fault.version(version) }
      let type = try reader.byte()
      let conversation = try reader.uint32()
      let flags = try reader.byte()
      _ = try reader.take(3)
      guard flags & ~1 == 0 else { throw WireFault("unknown flags \(flags)") }
      if flags & 1 != 0 { reader = WireReader(try bodyFile()[...]) }
      return LinkPacket(
        conversation: conversation,
        message: try LinkMessage(type: type, from: &reader)
      )
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .malformed("\(error)")
    }
  }
}
