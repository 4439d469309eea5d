import LinuxSystem

/// Lines in and lines out.
final class Lines: Sendable {
  static let shared = Lines()
  private let output = Mutex(())

  func say(_ line: String) {
    output.withLock { _ in
      // A test that does not listen any more is over.
      let out = Descriptor(owning: 1)
      try? out.write(Array((line + "\n").utf8))
      _ = out.release()
    }
  }

  /// Blocks until the next line is there; calls `body` for each until the input ends.
  func forEach(_ body: ([String]) throws -> Void) throws {
    let input = Descriptor(owning: 0)
    var rest: [UInt8] = []
    while true {
      let part = try input.read(upTo: 65536)
      if part.isEmpty { return }
      rest += part
      while let end = rest.firstIndex(of: 0x0a) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeSubrange(...end)
        try body(line.split(separator: " ").map(String.init))
      }
    }
  }
}
