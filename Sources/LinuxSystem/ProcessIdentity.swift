import CLinux
import Glibc

/// A process that no later one can be mistaken for: its id and when it started.
package struct ProcessIdentity: Hashable, Sendable, CustomStringConvertible {
  package let pid: Int32
  /// Clock ticks after boot, field 22 of /proc/pid/stat.
  package let started: UInt64

  package init(pid: Int32, started: UInt64) {
    self.pid = pid
    self.started = started
  }

  /// The process that has this id now, or nil where none has.
  package init?(of pid: Int32) {
    guard let fields = Self.fields(pid), fields.count > 19, let started = UInt64(fields[19]) else {
      return nil
    }
    self.init(pid: pid, started: started)
  }

  /// This process, read anew each time.
  package static var current: ProcessIdentity {
    let pid = getpid()
    return ProcessIdentity(of: pid) ?? ProcessIdentity(pid: pid, started: 0)
  }

  /// The id of this process; one system call.
  package static var ownNumber: Int32 { getpid() }

  /// How a process is, as far as others must know.
  package enum State: Sendable { case running, stopped, gone }

  /// Whether it runs, is stopped (SIGSTOP, a tracer, a frozen cgroup) or is gone.
  ///
  /// - SeeAlso: proc(5)
  package var state: State {
    guard let fields = Self.fields(pid), fields.count > 19 else { return .gone }
    if UInt64(fields[19]) != started { return .gone }
    switch fields[0] {
    case "T", "t": return .stopped
    case "Z", "X", "x": return .gone
    default: return isFrozen ? .stopped : .running
    }
  }

  /// The program's name as the kernel keeps it, for people.
  package var name: String? {
    guard let text = Self.read("/proc/\(pid)/comm") else { return nil }
    return text.last == "\n" ? String(text.dropLast()) : text
  }

  package var description: String { "\(name ?? "?") (pid \(pid))" }

  /// Fields of /proc/pid/stat from the third on: the name may hold blanks and brackets.
  private static func fields(_ pid: Int32) -> [Substring]? {
    guard let text = read("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    return text[text.index(after: end)...].split(separator: " ")
  }

  private var isFrozen: Bool {
    guard let line = Self.read("/proc/\(pid)/cgroup")?.split(separator: "\n").last,
      let path = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).last,
      let events = Self.read("/sys/fs/cgroup\(path)/cgroup.events")
    else { return false }
    return events.contains("frozen 1")
  }

  private static func read(_ path: String) -> String? {
    // A process that is gone has no files: that is the answer, not a failure.
    guard let file = try? Descriptor.open(FilePath(path), .readOnly),
      let bytes = try? file.readToEnd()
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
