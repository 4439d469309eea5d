import Foundation
import LinuxSystem
import PeerScript

/// Writes the peer's events, one line each, at once.
enum Output {
  private static let count = Mutex(0)
  private static let file = Descriptor(owning: 1)

  static func emit(_ tag: String, _ name: String, _ text: String = "") {
    count.withLock { count in
      count += 1
      let event = PeerEvent(
        time: MonotonicInstant.now.nanoseconds,
        number: count,
        tag: tag,
        name: name,
        text: text
      )
      do {
        var line = try JSONEncoder().encode(event)
        line.append(0x0a)
        try file.write(line)
      } catch {
        // Nobody reads any more: the test is over.
        exit(0)
      }
    }
  }
}
