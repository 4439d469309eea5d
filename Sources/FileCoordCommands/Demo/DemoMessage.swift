/// One line from an editor of the demo to the demo.
struct DemoMessage: Codable, Sendable {
  /// Nanoseconds of CLOCK_MONOTONIC, the same in every process.
  let time: UInt64
  /// For the timeline, unless it only answers.
  var event: String?
  /// What an order was answered with: ready, edited, seen.
  var answer: String?
  /// The file as the editor knows it, with the answer `seen`.
  var text: String?
}

/// What the demo tells an editor, one word per line.
enum DemoOrder: String {
  /// Make one edit.
  case edit
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
}
