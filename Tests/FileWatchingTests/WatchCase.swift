import FileWatching
import Foundation
import LinuxSystem
import Testing

/// A case out of a file in `Cases`; what may stand in one is said in `Cases/README.md`.
struct WatchCase: Sendable {
  struct Watch: Sendable {
    let scope: WatchScope
    let path: String
  }

  struct Expectation: Sendable {
    enum Need: Sendable { case always, exact, lossy }
    let need: Need
    let isOptional: Bool
    /// Counted from 1.
    let watcher: Int
    let event: String
  }

  struct Step: Sendable {
    let command: String
    var expected: [Expectation] = []
  }

  let name: String
  private(set) var given: [String] = []
  private(set) var watches: [Watch] = []
  private(set) var steps: [Step] = []

  /// All cases, by name.
  static func all() throws -> [WatchCase] {
    let folder = try #require(Bundle.module.url(forResource: "Cases", withExtension: nil))
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "case" }
      .sorted { $0.path < $1.path }
      .map {
        try WatchCase(
          $0.deletingPathExtension().lastPathComponent,
          String(contentsOf: $0, encoding: .utf8)
        )
      }
  }

  /// - Throws: ``Malformed`` with the line that makes no sense.
  init(_ name: String, _ text: String) throws {
    self.name = name
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ", maxSplits: 1)
      let rest = words.count > 1 ? String(words[1]) : ""
      if line.hasPrefix("  ") {
        guard !steps.isEmpty else { throw Malformed(name, line) }
        steps[steps.count - 1].expected.append(Self.expectation(line))
        continue
      }
      switch words.first {
      case "given": given.append(rest)
      case "watch":
        let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, ["item", "tree"].contains(parts[0]) else {
          throw Malformed(name, line)
        }
        watches.append(Watch(scope: parts[0] == "tree" ? .tree : .item, path: parts[1]))
      case "do": steps.append(Step(command: rest))
      default: throw Malformed(name, line)
      }
    }
    guard !watches.isEmpty, !steps.isEmpty else {
      throw Malformed(name, "nothing is watched or done")
    }
  }

  private static func expectation(_ line: Substring) -> Expectation {
    var rest = line.drop { $0 == " " }
    func take(_ word: String) -> Bool {
      guard rest.hasPrefix(word + " ") else { return false }
      rest = rest.dropFirst(word.count + 1)
      return true
    }
    let need: Expectation.Need = take("exact") ? .exact : take("lossy") ? .lossy : .always
    let isOptional = take("?")
    var watcher = 1
    if let number = rest.first?.wholeNumberValue, take("\(number)") { watcher = number }
    return Expectation(need: need, isOptional: isOptional, watcher: watcher, event: String(rest))
  }

  struct Malformed: Error, CustomStringConvertible {
    let description: String
    init(_ name: String, _ line: some StringProtocol) { description = "\(name): \(line)" }
  }
}
