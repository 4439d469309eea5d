import FileCoordination
import Foundation
import LinuxSystem

/// One line of the status.
struct StatusEntry: Encodable, Hashable, Sendable {
  /// A process that is waited for.
  struct Party: Encodable, Hashable, Sendable {
    let pid: Int32
    let process: String

    init(_ process: ProcessIdentity) {
      pid = process.pid
      self.process = process.name ?? "?"
    }
  }

  /// What the process does with the item.
  enum State: String, Encodable, Comparable, Sendable {
    case holds, asks, waits, presents, polls

    static func < (a: State, b: State) -> Bool { a.order < b.order }
    private var order: Int {
      switch self {
      case .holds: 0
      case .asks: 1
      case .waits: 2
      case .presents: 3
      case .polls: 4
      }
    }
  }

  let state: State
  /// What the access is for: read, write, moving, structural (deleting or replacing).
  var kind: String?
  let pid: Int32
  let process: String
  let stopped: Bool
  let path: String
  let url: String
  var purpose: String?
  /// ISO 8601; when the state began.
  var since: String?
  /// The processes that are waited for.
  var `for`: [Party]?
  var reason: String?
  /// begins or ends, with --watch.
  var change: String?
  /// When the state began, on the clock that does not jump; not in the JSON.
  var began: MonotonicInstant?

  private enum CodingKeys: String, CodingKey {
    case state, kind, pid, process, stopped, path, url, purpose, since, `for`, reason, change
  }

  init(_ state: State, _ process: ProcessIdentity, _ path: FilePath) {
    self.state = state
    pid = process.pid
    self.process = process.name ?? "?"
    stopped = process.state == .stopped
    self.path = path.description
    url = path.url().absoluteString
  }

  /// What stays the same from one look to the next: the time of day is worked out anew each time.
  var withoutTimeOfDay: StatusEntry {
    var copy = self
    copy.since = nil
    return copy
  }
}
