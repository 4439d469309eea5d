import Foundation

/// A resource value that a bookmark can keep.
enum BookmarkValue: Codable {
  case text(String)
  case flag(Bool)
  case integer(Int)
  case date(Date)

  init?(_ value: Any?) {
    switch value {
    case let value as String: self = .text(value)
    case let value as Bool: self = .flag(value)
    case let value as Int: self = .integer(value)
    case let value as Date: self = .date(value)
    default: return nil
    }
  }

  var value: Any {
    switch self {
    case .text(let value): value
    case .flag(let value): value
    case .integer(let value): value
    case .date(let value): value
    }
  }
}
