/// Where documents call their applications back.
enum MainThread {
  /// Runs `body` later, once, on the main thread, in the order in which it was given; returns at once.
  static func run(_ body: @escaping @Sendable () -> Void) {
    MainLoopHook.performEvenWhileCoordinating(body)
  }
}
