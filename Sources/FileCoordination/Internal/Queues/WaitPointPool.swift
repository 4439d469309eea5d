import LinuxSystem

/// Wait points kept for the next wait: each is a descriptor, and a wait needs one at once.
enum WaitPointPool {
  private struct State {
    var generation: UInt32 = 0
    var free: [WaitPoint] = []
  }
  private static let state = Mutex(State())

  static func borrow() throws(SystemError) -> WaitPoint {
    let kept = state.withLock { state -> WaitPoint? in
      // A forked child shares its parent's eventfds: it must not wake, or be woken by, the parent.
      if state.generation != ForkGeneration.current {
        state = State(generation: ForkGeneration.current)
      }
      return state.free.popLast()
    }
    return if let kept { kept } else { try WaitPoint() }
  }

  static func giveBack(_ point: WaitPoint) {
    state.withLock { state in
      if state.free.count < 16 { state.free.append(point) }
    }
  }
}
