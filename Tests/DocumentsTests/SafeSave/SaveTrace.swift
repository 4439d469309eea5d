import Foundation
import LinuxSystem
import TestSupport

/// The system calls of one save, as strace saw them between the marks of `document-peer`.
struct SaveTrace {
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

  /// Lets the peer save once: `kind` as `document-peer save` knows it.
  init(_ kind: String, _ item: String, in folder: Folder) async throws {
    let trace = folder.path("trace")
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
    for line in try folder.text("trace").split(separator: "\n") {
      if line.contains("/marker-begin") { isInside = true }
      if line.contains("/marker-end") { isInside = false }
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      if parts.count == 2, parts[1].hasPrefix("<... ") {
        if let call = unfinished.removeValue(forKey: parts[0]) { calls[call].text += parts[1] }
        continue
      }
      guard parts.count == 2, let end = parts[1].firstIndex(of: "(") else { continue }
      let name = String(parts[1][..<end].drop { $0 == " " })
      let number = counts["\(parts[0]) \(name)", default: 0] + 1
      counts["\(parts[0]) \(name)"] = number
      guard isInside else { continue }
      if parts[1].hasSuffix("<unfinished ...>") { unfinished[parts[0]] = calls.count }
      calls.append(Call(name: name, text: String(parts[1]), number: number))
    }
    self.calls = calls
    try FileSystem.removeFile(trace)
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
