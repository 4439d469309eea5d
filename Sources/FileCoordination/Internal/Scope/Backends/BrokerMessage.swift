package import Foundation
package import LinuxSystem

/// What a confined program and its broker say to each other: JSON, a message a packet.
package enum BrokerMessage {
  /// The variable that holds the number of the socket.
  package static let variable = "FILE_COORDINATION_BROKER"
  /// The variable that holds the application's name.
  package static let applicationVariable = "FILE_COORDINATION_APPLICATION"

  package struct Request: Codable, Sendable {
    package enum Wish: Codable, Sendable {
      /// Have the user choose documents.
      case choose(FileScope.DocumentRequest)
      /// Access to a document again that was given before, by its place on the host.
      case regain(path: Data)
      /// A descriptor.
      case open(path: Data, forWriting: Bool)
    }
    package let number: UInt64
    package let wish: Wish
    package init(number: UInt64, wish: Wish) {
      self.number = number
      self.wish = wish
    }
  }

  package struct Reply: Codable, Sendable {
    package enum Outcome: Codable, Sendable {
      /// Where the program finds them.
      case documents(paths: [Data])
      /// The descriptor is in the same packet.
      case opened
      /// The user chose none.
      case cancelled
      /// Not given to this program; the text says why.
      case denied(String)
      case failed(String)
    }
    package let number: UInt64
    package let outcome: Outcome
    package init(number: UInt64, outcome: Outcome) {
      self.number = number
      self.outcome = outcome
    }
  }

  /// - Throws: what the encoder throws.
  package static func encode(_ message: some Encodable) throws -> [UInt8] {
    Array(try JSONEncoder().encode(message))
  }

  package static func decode<Message: Decodable>(
    _ type: Message.Type,
    from bytes: [UInt8]
  ) throws -> Message {
    try JSONDecoder().decode(type, from: Data(bytes))
  }

  package static func data(_ path: FilePath) -> Data { Data(path.bytes) }
  package static func path(_ data: Data) -> FilePath { FilePath(bytes: data) }
}
