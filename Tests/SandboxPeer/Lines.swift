import Foundation
import LinuxSystem

/// Lines in, one after the other; each is dealt with before the next is taken.
enum Lines {
  static func each(_ body: @escaping @Sendable (_ word: String, _ rest: String) async -> Void) {
    let (lines, feed) = AsyncStream<String>.makeStream()
    Thread.detachNewThread {
      while let line = readLine() { feed.yield(line) }
      feed.finish()
    }
    Task {
      for await line in lines {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        await body(parts.first ?? "", parts.count > 1 ? parts[1] : "")
      }
      Environment.exit(0)
    }
  }
}

/// One line on standard output, at once.
func say(_ line: String) {
  // With nobody there to read, nothing is to be said.
  try? StandardStream.output.write(Array("\(line)\n".utf8))
}
