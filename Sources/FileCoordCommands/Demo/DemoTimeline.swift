import LinuxSystem

/// What happened in the processes of the demo, one column for each.
final class DemoTimeline: Sendable {
  private struct Event {
    let time: UInt64
    let column: Int
    let text: String
  }
  private let columns: [String]
  private let width: Int
  private let events = Mutex<[Event]>([])

  init(_ columns: [String], width: Int = 30) {
    self.columns = columns
    self.width = width
  }

  func add(_ text: String, in column: Int, at time: UInt64) {
    events.withLock { $0.append(Event(time: time, column: column, text: text)) }
  }

  /// One line per event in the order of time; times in milliseconds after the first.
  var lines: [String] {
    let events = events.withLock { $0 }.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    guard let start = events.first?.time else { return [] }
    let head = "      ms  " + columns.map { pad($0) }.joined()
    return [trim(head)]
      + events.map { event in
        let time = Self.milliseconds(event.time - start)
        let left = String(repeating: " ", count: 8 - min(8, time.count)) + time + "  "
        return left + String(repeating: " ", count: event.column * width) + event.text
      }
  }

  private func pad(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func trim(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }

  private static func milliseconds(_ nanoseconds: UInt64) -> String {
    let hundredths = nanoseconds / 10_000
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
