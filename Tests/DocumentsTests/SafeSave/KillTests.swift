import Foundation
import LinuxSystem
import TestSupport
import Testing

/// SIGKILL at every system call of a save (strace injects it): the complete old or the complete new
/// item is there, and a later save works and leaves nothing beside it.
@Suite(.timeLimit(.minutes(60)), .serialized, .tags(.multiProcess, .crash, .slow))
struct KillTests {
  /// One system call of a thread: its name, and how many of that name the thread had made.
  struct Point: Hashable {
    let call: String
    let number: Int
  }

  @Test(arguments: ["file", "package", "document", "package-document"])
  func `a save that is killed at any system call leaves old or new`(_ kind: String) async throws {
    let points = try await points(of: kind)
    #expect(points.count > 10, "a save makes more calls than \(points.count)")
    var old = 0
    var new = 0
    for point in Self.chosen(points) {
      let folder = try folder(kind)
      let run = DocumentPeerRun(folder: folder)
      let item = folder.path("item.rtfd").description
      _ = try await run.run(
        ["save", kind, item, "new"],
        below: Self.strace(
          kind,
          "-o /dev/null -e trace=\(point.call) "
            + "-e inject=\(point.call):signal=KILL:when=\(point.number)"
        )
      )
      let state = try state(folder, kind)
      #expect(["old", "new"].contains(state), "\(point): \(state)")
      if state == "old" { old += 1 } else { new += 1 }
      let later = try await run.run(["save", kind, item, "later"])
      #expect(later.end == .exited(0), "after \(point)")
      #expect(try self.state(folder, kind) == "later", "after \(point)")
      let names = try folder.list().filter { !["data", "runtime", "state"].contains($0) }
      #expect(names == ["item.rtfd"], "after \(point)")
    }
    print("kills of a save, \(kind): \(old + new) of \(points.count), \(old) old, \(new) new")
    // Both ends were met: otherwise nothing was tried.
    #expect(old > 0 && new > 0, "old \(old), new \(new)")
  }

  /// Runs the peer below strace; of a document strace follows the thread that saves, and no other.
  private static func strace(_ kind: String, _ words: String) -> [String] {
    if kind.hasSuffix("document") { return ["/usr/bin/env", "SAVE_STRACE=-qq \(words)"] }
    return ["/usr/bin/strace", "-f", "-qq"] + words.split(separator: " ").map(String.init)
  }

  /// A dozen of them, evenly spread, or all with `SAVE_KILL_POINTS=all`: that takes minutes.
  private static func chosen(_ points: [Point]) -> [Point] {
    if Environment.value(of: "SAVE_KILL_POINTS")?.description == "all" { return points }
    let step = Double(points.count) / 12
    return (0..<12).map { points[Int(Double($0) * step)] } + points.suffix(1)
  }

  private func folder(_ kind: String) throws -> Folder {
    guard kind.hasPrefix("package") else { return try Folder { File("item.rtfd", "old") } }
    return try Folder {
      Directory("item.rtfd") {
        File("text", "old")
        File("note", "always")
      }
    }
  }

  /// "old", "new", "later", or what is wrong.
  private func state(_ folder: Folder, _ kind: String) throws -> String {
    guard kind.hasPrefix("package") else {
      return folder.exists("item.rtfd") ? try folder.text("item.rtfd") : "missing"
    }
    guard folder.exists("item.rtfd") else { return "missing" }
    let names = try folder.list("item.rtfd")
    guard names == ["note", "text"], try folder.text("item.rtfd/note") == "always" else {
      return "incomplete: \(names)"
    }
    return try folder.text("item.rtfd/text")
  }

  /// Every call that any thread makes between the two marks.
  private func points(of kind: String) async throws -> [Point] {
    let folder = try folder(kind)
    let place = try TemporaryDirectory()
    let trace = place.path.appending("trace")
    let outcome = try await DocumentPeerRun(folder: folder).run(
      ["save", kind, folder.path("item.rtfd").description, "new"],
      below: Self.strace(kind, "-o \(trace.description)")
    )
    #expect(outcome.end == .exited(0))
    var counts: [String: Int] = [:]
    // Of a document strace saw nothing but the save.
    var isInside = kind.hasSuffix("document")
    var points: [Point] = []
    let lines = String(decoding: try Descriptor.open(trace, .readOnly).readToEnd(), as: UTF8.self)
    for line in lines.split(separator: "\n") {
      // Without a thread's number in front where strace follows one.
      let digits = line.prefix { $0.isNumber }
      let rest = line.dropFirst(digits.count)
      guard let end = rest.firstIndex(of: "(") else { continue }
      let call = String(rest[..<end].drop { $0 == " " })
      guard call.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { continue }
      if line.contains("/marker-begin") { isInside = true }
      if line.contains("/marker-end") { isInside = false }
      let key = "\(digits) \(call)"
      counts[key, default: 0] += 1
      // Waiting for others, and memory, change no file; ioctl is the monitor asking what there is to read.
      let isIdle = [
        "futex", "mmap", "munmap", "mprotect", "madvise", "brk", "poll", "ppoll", "epoll_wait",
        "epoll_pwait", "ioctl", "rt_sigprocmask", "rt_sigaction", "sched_yield", "clock_gettime",
        "gettid",
      ].contains(call)
      if isInside, !isIdle { points.append(Point(call: call, number: counts[key] ?? 0)) }
    }
    var seen: Set<Point> = []
    return points.filter { seen.insert($0).inserted }
  }
}
