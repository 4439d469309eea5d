import LinuxSystem

/// A text that differs in every process that was ever started or forked.
enum ProcessTag {
  private static let cached = Mutex<(generation: UInt32, tag: String)?>(nil)

  static var current: String {
    cached.withLock { cached in
      let generation = ForkGeneration.current
      if let cached, cached.generation == generation { return cached.tag }
      let process = ProcessIdentity.current
      let tag = "\(process.pid).\(process.started)"
      cached = (generation, tag)
      return tag
    }
  }
}
