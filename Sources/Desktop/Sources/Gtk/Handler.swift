import CGtk

/// What is to happen at a signal; GTK keeps it as long as what it is connected to.
@MainActor final class Handler<Event: Sendable, Answer: Sendable> {
  let run: @MainActor (Event) -> Answer
  init(_ run: @escaping @MainActor (Event) -> Answer) { self.run = run }

  /// A reference for GTK, to be given back with ``release``.
  var retained: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }

  /// Runs the handler behind a reference; GTK calls on the main thread only.
  nonisolated static func run(
    _ data: UnsafeMutableRawPointer?,
    _ event: Event,
    otherwise: Answer
  ) -> Answer {
    guard let data = unsafe data else { return otherwise }
    let handler = unsafe Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
    return MainActor.assumeIsolated { handler.run(event) }
  }
}

/// Gives a handler back whose signal's owner is gone.
func releaseHandler(_ data: UnsafeMutableRawPointer?, _ closure: UnsafeMutablePointer<GClosure>?) {
  guard let data = unsafe data else { return }
  unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
}
