import Foundation
package import LinuxSystem

/// What users of a provider and its process say to each other.
///
/// A packet: a type, a number that the answer repeats, and what belongs to the type.
package enum ProviderMessage: Hashable, Sendable {
  // Asked by users.
  /// Have the contents of an item here.
  case provide(FilePath)
  /// Have a placeholder of an item here.
  case placeholder(FilePath)
  /// An item was written.
  case changed(FilePath)
  /// Wait until no delivery of an item is under way.
  case settle(FilePath)
  /// Something for the picker, in JSON.
  case picker([UInt8])
  // Said by the provider.
  /// First on every connection.
  case hello
  case done
  case failed(ProviderFault)
  case answer([UInt8])

  private var type: UInt8 {
    switch self {
    case .provide: 1
    case .placeholder: 2
    case .changed: 3
    case .settle: 4
    case .picker: 5
    case .hello: 64
    case .done: 65
    case .failed: 66
    case .answer: 67
    }
  }

  private static let mark = Array("FP".utf8) + [1]
  private static let header = 8

  /// The packet that says so.
  package func packet(number: UInt32) -> [UInt8] {
    var bytes = Self.mark + [type]
    for shift in [0, 8, 16, 24] as [UInt32] {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
    switch self {
    case .provide(let path), .placeholder(let path), .changed(let path), .settle(let path):
      bytes += path.bytes
    case .picker(let body), .answer(let body): bytes += body
    case .failed(let fault): bytes += Self.encode(fault)
    case .hello, .done: break
    }
    return bytes
  }

  /// What a packet says; nil for what is none, from whomever it may come.
  package static func read(_ packet: [UInt8]) -> (number: UInt32, message: ProviderMessage)? {
    guard packet.count >= header, packet.starts(with: mark) else { return nil }
    let number = (0..<4).reduce(UInt32(0)) { $0 | UInt32(packet[4 + $1]) << UInt32(8 * $1) }
    let body = Array(packet[header...])
    guard let message = message(packet[3], body) else { return nil }
    return (number, message)
  }

  private static func message(_ type: UInt8, _ body: [UInt8]) -> ProviderMessage? {
    switch type {
    case 1: path(body).map { .provide($0) }
    case 2: path(body).map { .placeholder($0) }
    case 3: path(body).map { .changed($0) }
    case 4: path(body).map { .settle($0) }
    case 5: .picker(body)
    case 64: .hello
    case 65: .done
    case 66: decode(body).map { .failed($0) }
    case 67: .answer(body)
    default: nil
    }
  }

  private static func path(_ bytes: [UInt8]) -> FilePath? {
    guard bytes.first == .slash, bytes.count <= 4096, !bytes.contains(0) else { return nil }
    let parts = bytes.split(separator: .slash)
    guard !parts.contains(where: { $0 == [0x2e] || $0 == [0x2e, 0x2e] }) else { return nil }
    return FilePath(bytes: bytes)
  }

  /// Texts that are too long for a packet are cut.
  private static func encode(_ fault: ProviderFault) -> [UInt8] {
    let texts = fault.texts.filter { $0.value.utf8.count <= 4096 }
    let first = texts.sorted { $0.key < $1.key }.prefix(8)
    let short = ProviderFault(
      domain: String(fault.domain.prefix(500)),
      code: fault.code,
      texts: Dictionary(first.map { ($0.key, $0.value) }) { a, _ in a }
    )
    // Strings and a number always become JSON.
    return (try? JSONEncoder().encode(short)).map(Array.init) ?? []
  }

  private static func decode(_ bytes: [UInt8]) -> ProviderFault? {
    // Nil says that it is none.
    guard let fault = try? JSONDecoder().decode(ProviderFault.self, from: Data(bytes)) else {
      return nil
    }
    return ProviderFault(
      domain: DisplayText.clean(fault.domain),
      code: fault.code,
      texts: fault.texts.mapValues(DisplayText.clean)
    )
  }
}
