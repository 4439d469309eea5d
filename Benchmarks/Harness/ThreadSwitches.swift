import Foundation

/// How often the threads of a process were switched away from; the thread that asks does not count.
package struct ThreadSwitches: Sendable {
  /// By number and name.
  private let counts: [String: Int]

  package init(of process: Int32? = nil) throws {
    let directory = "/proc/\(process.map { "\($0)" } ?? "self")/task"
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    var counts: [String: Int] = [:]
    for thread in try FileManager.default.contentsOfDirectory(atPath: directory) {
      if own.hasSuffix("/\(thread)") { continue }
      // A thread that ended meanwhile switches no more.
      let text = try? String(contentsOfFile: "\(directory)/\(thread)/status", encoding: .utf8)
      var name = thread
      for line in (text ?? "").split(separator: "\n") {
        if line.hasPrefix("Name:") { name += ":" + line.dropFirst(5).filter { !$0.isWhitespace } }
        guard line.contains("ctxt_switches:") else { continue }
        counts[name, default: 0] += Int(line.drop { !$0.isNumber }) ?? 0
      }
    }
    self.counts = counts
  }

  /// How many there were since, and whose.
  package func since(_ before: ThreadSwitches) -> (total: Int, whose: String) {
    let new = counts.map { ($0.key, $0.value - before.counts[$0.key, default: 0]) }
    let whose = new.filter { $0.1 > 0 }.map { "\($0.0)=\($0.1)" }.sorted()
    return (new.reduce(0) { $0 + $1.1 }, whose.joined(separator: " "))
  }
}
