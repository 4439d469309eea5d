/// A watch that ends when the last of its owners goes.
final class SharedWatch: Sendable {
  private let monitor: ChangeMonitor
  private let token: WatchToken

  init(_ monitor: ChangeMonitor, _ token: WatchToken) {
    self.monitor = monitor
    self.token = token
  }

  deinit { end() }

  /// Ends it; once more does nothing.
  func end() { monitor.unwatch(token) }
}
