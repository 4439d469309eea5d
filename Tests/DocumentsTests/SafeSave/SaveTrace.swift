import Foundation
import LinuxSystem
import TestSupport

/// The system calls of one save, as strace saw them between the marks of `document-peer`.
struct SaveTrace: CustomStringConvertible {
  /// One call: its name, and what it was called with; descriptors with their paths.
  struct Call: CustomStringConvertible {
    let name: String
    fileprivate(set) var text: String
    /// Which of its thread's calls of that name it is, from 1.
    let number: Int
    var description: String { text }

    /// Whether it is about a path, by name or by descriptor.
    func isAbout(_ path: String) -> Bool {
      text.contains("<\(path)>") || text.contains("\"\(path)\"")
    }
  }
  let calls: [Call]
  var description: String { calls.map(\.text).joined(separator: "\n") }

  /// Lets the peer save once: `kind` as `document-peer save` knows it.
  init(_ kind: String, _ item: String, in folder: Folder) async throws {
    // Not beside the item: a document hears of all that happens there.
    let place = try TemporaryDirectory()
    let trace = place.path.appending("trace")
    let outcome = try await DocumentPeerRun(folder: folder).run(
      ["save", kind, folder.path(item).description, "new"],
      below: ["/usr/bin/strace", "-f", "-y", "-s", "512", "-qq", "-o", trace.description]
    )
    guard outcome.end == .exited(0) else { throw NotInTime("the save failed: \(outcome.lines)") }
    var calls: [Call] = []
    var counts: [String: Int] = [:]
    // Calls that another thread came between: their second half is a line of its own.
    var unfinished: [Substring: Int] = [:]
    var isInside = false
    let lines = String(decoding: try Descriptor.open(trace, .readOnly).readToEnd(), as: UTF8.self)
    for line in lines.split(separator: "\n") {
      if line.contains("/marker-begin") { isInside = true }
      if line.contains("/marker-end") { isInside = false }
      // The thread's number, padded, and the call.
      let thread = line.prefix { $0 != " " }
      let text = line.dropFirst(thread.count).drop { $0 == " " }
      if text.hasPrefix("<... ") {
        if let call = unfinished.removeValue(forKey: thread) { calls[call].text += text }
        continue
      }
      guard let end = text.firstIndex(of: "(") else { continue }
      let name = String(text[..<end])
      let number = counts["\(thread) \(name)", default: 0] + 1
      counts["\(thread) \(name)"] = number
      guard isInside else { continue }
      if text.hasSuffix("<unfinished ...>") { unfinished[thread] = calls.count }
      calls.append(Call(name: name, text: String(text), number: number))
    }
    self.calls = calls
  }

  /// The numbers of calls of one of these names, and about a path where one is given.
  func indices(_ names: String..., about path: String? = nil) -> [Int] {
    calls.indices.filter { index in
      names.contains(calls[index].name) && (path.map { calls[index].isAbout($0) } ?? true)
    }
  }

  /// The number, in its thread, of the first call of a name that is about a temporary.
  func firstAboutTemporary(_ name: String) -> Int? {
    calls.first { $0.name == name && $0.text.contains("/.sb-") }?.number
  }

  /// Paths of the files that were made under temporary names.
  var made: [String] {
    indices("openat").compactMap { index in
      let text = calls[index].text
      guard text.contains("O_CREAT"), text.contains("/.sb-") else { return nil }
      // "… = 5</dir/.sb-0123abcd>": the descriptor says where.
      return text.split(separator: "<").last.flatMap { $0.split(separator: ">").first }
        .map(String.init)
    }
  }
}
