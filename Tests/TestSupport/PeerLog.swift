import Foundation
import LinuxSystem
import PeerScript

/// The events that came from a peer, in order.
final class PeerLog: Sendable {
  fileprivate struct State {
    var events: [PeerEvent] = []
    var taken: Set<Int> = []
    var isClosed = false
  }
  private let peer: String
  private let state = Mutex(State())

  init(_ peer: String) { self.peer = peer }

  var all: [PeerEvent] { state.withLock { $0.events } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The first such event that was not taken yet; it is now.
  func take(_ tag: String, _ name: String) -> PeerEvent? {
    state.withLock { state in
      guard let index = state.first(tag, name) else { return nil }
      state.taken.insert(index)
      return state.events[index]
    }
  }

  func peek(_ tag: String, _ name: String) -> Bool {
    state.withLock { $0.first(tag, name) != nil }
  }

  /// Reads until the peer's output ends; blocks the calling thread.
  func fill(from source: SharedDescriptor) {
    let decoder = JSONDecoder()
    var rest: [UInt8] = []
    while true {
      // A failed read is the end of the peer as well.
      let part = (try? source.with { file throws(SystemError) in try file.read(upTo: 65536) }) ?? []
      if part.isEmpty { break }
      rest += part
      while let end = rest.firstIndex(of: 0x0a) {
        let line = Data(rest[..<end])
        rest.removeSubrange(...end)
        do {
          let event = try decoder.decode(PeerEvent.self, from: line)
          state.withLock { $0.events.append(event) }
        } catch {
          let text = String(decoding: line, as: UTF8.self)
          state.withLock { state in
            state.events.append(
              PeerEvent(time: 0, number: -1, tag: peer, name: "unreadable", text: text)
            )
          }
        }
      }
    }
    state.withLock { $0.isClosed = true }
  }
}

extension PeerLog.State {
  fileprivate func first(_ tag: String, _ name: String) -> Int? {
    events.indices.first {
      !taken.contains($0) && events[$0].tag == tag && events[$0].name == name
    }
  }
}
