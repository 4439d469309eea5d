package import LinuxSystem
import struct Synchronization.Atomic

/// One record of what claims, messages and grants did, in order, for those who watch.
///
/// Nothing is recorded while nobody listens: an event costs one load of an atomic flag then. The sink
/// is called on the thread where the event happens, sometimes under a lock: it must not block and
/// must not coordinate.
package enum CoordinationTrace {
  /// What happened.
  package enum Kind: String, Sendable {
    case waiting, granted, released, cancelled, failed, asking, answered, restarted, moved, joined
    case upgraded, passedOver, message, notice, diagnostic
    /// A claim stands first in line at a lock of the path: it holds the gate and has set the mark.
    case inLine
    /// It has the lock, or went away.
    case outOfLine
    /// It took a lock of the path without standing in line; the time is that of its second look.
    case slippedIn

    /// Whether it is about single locks: for checkers, too much for people.
    package var isDetail: Bool { self == .inLine || self == .outOfLine || self == .slippedIn }
  }

  /// One thing that happened.
  package struct Event: Sendable {
    package let time: MonotonicInstant
    package let kind: Kind
    package let claim: ClaimID?
    package let path: FilePath?
    /// For people: what the kind and the path do not say.
    package let text: String
  }

  package typealias Sink = @Sendable (Event) -> Void

  /// A lock's value is handed on as something generic: a function that is one is wrapped once more by every
  /// access, for ever; inside a structure it stays as it is.
  private struct Installed: Sendable {
    let sink: Sink
  }
  private static let installed = Mutex<Installed?>(nil)
  private static let listening = Atomic<Bool>(false)

  /// Has every later event handed to `new`; nil ends that.
  package static func install(_ new: Sink?) {
    installed.withLock { $0 = new.map(Installed.init) }
    listening.store(new != nil, ordering: .releasing)
  }

  /// Whether anybody listens.
  package static var isListening: Bool { listening.load(ordering: .acquiring) }

  /// Records an event, if anybody listens; the text is only made then.
  package static func record(
    _ kind: Kind,
    claim: ClaimID? = nil,
    path: FilePath? = nil,
    at time: MonotonicInstant? = nil,
    _ text: @autoclosure () -> String = ""
  ) {
    guard isListening, let installed = installed.withLock({ $0 }) else { return }
    installed.sink(Event(time: time ?? .now, kind: kind, claim: claim, path: path, text: text()))
  }
}
