import FileCoordination
import Foundation
import LinuxSystem

/// One line of JSON.
enum JSONLine {
  /// The value on one line, keys in alphabetical order so that equal values look alike.
  static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

/// Time as the command shows it.
enum ClockTime {
  /// Hours, minutes, seconds and milliseconds of the local time zone.
  static func text(_ date: Date) -> String { formatter.string(from: date) }

  /// ISO 8601 in UTC with milliseconds.
  static func iso(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  private static let formatter: DateFormatter = {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "HH:mm:ss.SSS"
    return formatter
  }()
}
