import Foundation
import LinuxSystem

/// Has strace follow the threads on which documents access files, and no others, from now on.
///
/// strace counts the calls of each thread from where it attached: so a test can name one call of the save.
enum SaveTracer {
  /// With what strace is to be called; nil: not at all.
  private static var words: [String]? {
    Environment.value(of: "SAVE_STRACE")?.description.split(separator: " ").map(String.init)
  }

  /// Held as long as this process lives: the value's end would end it.
  private static let tracer = Mutex<ChildProcess?>(nil)

  static func attach() {
    guard let words else { return }
    let tasks = "/proc/self/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    let ours = threads.filter { thread in
      text("\(tasks)/\(thread)/comm").hasPrefix("fc-document")
    }
    do {
      let strace = FilePath("/usr/bin/strace")
      let child = try ChildProcess(strace, words + ours.flatMap { ["-p", $0] })
      tracer.withLock { $0 = child }
    } catch {
      say("no strace: \(error)")
      Environment.exit(5)
    }
    let end = MonotonicInstant.now + .seconds(20)
    while ours.contains(where: { text("\(tasks)/\($0)/status").contains("TracerPid:\t0\n") }) {
      guard MonotonicInstant.now < end else {
        say("strace did not attach")
        Environment.exit(6)
      }
      ShortPause.run(until: end)
    }
  }

  private static func text(_ path: String) -> String {
    // A thread that ended meanwhile is none of ours.
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
