import LinuxSystem

/// One line from an editor of the demo to the demo.
struct DemoMessage: Codable, Sendable {
  /// Nanoseconds of CLOCK_MONOTONIC, the same in every process.
  let time: UInt64
  /// For the timeline, unless it only answers.
  var event: String?
  /// What an order was answered with: ready, edited, saved, seen.
  var answer: String?
  /// The file as the editor knows it, with the answer `seen`.
  var text: String?
}

/// What the demo tells an editor, one word per line.
enum DemoOrder: String {
  /// Say when the file is open: the order that every editor begins with.
  case ready
  /// Make one edit, and keep it.
  case edit
  /// Have it in the file, whatever others wrote meanwhile.
  case save
  /// Say when you have heard of everything that is in the file.
  case finish
}

/// The file of the demo: a number of fixed width that counts the edits, then one line per edit.
enum DemoFile {
  static func header(_ count: Int) -> String {
    let digits = String(count)
    return "edits: " + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + "\n"
  }

  static func count(in text: String) -> Int? {
    text.split(separator: "\n").first?.split(separator: " ").last.flatMap { Int($0) }
  }

  /// The text with one more edit.
  static func text(_ text: String, with line: String) -> String {
    let rest = text.split(separator: "\n").dropFirst() + [Substring(line)]
    return header((count(in: text) ?? 0) + 1) + rest.map { "\($0)\n" }.joined()
  }

  /// All lines that are in one of the texts; the same whoever merges.
  static func merged(_ texts: [String]) -> String {
    let lines = Set(texts.flatMap { $0.split(separator: "\n").dropFirst() })
    let sorted = lines.sorted { ($0.count, $0) < ($1.count, $1) }
    let edits = lines.count { !$0.hasPrefix("\(stranger) ") }
    return header(edits) + sorted.map { "\($0)\n" }.joined()
  }

  /// How the lines of the program begin that knows nothing of coordination.
  static let stranger = "stranger"

  /// What is in the file just now.
  static func contents(of file: FilePath) throws -> String {
    String(decoding: try Descriptor.open(file, .readOnly).readToEnd(), as: UTF8.self)
  }
}
