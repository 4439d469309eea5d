import LinuxSystem

/// Groups of keys with values, as `index.theme` and its like have them.
struct KeyFile {
  private var groups: [String: [String: String]] = [:]

  /// The file at a path, or nil: it cannot be read, or is bigger than such files are.
  init?(at path: FilePath) {
    // What cannot be read counts as missing.
    guard let file = try? Descriptor.open(path, [.readOnly, .nonBlocking]),
      let status = try? FileStatus(of: file), status.kind == .regular, status.size < 1 << 20,
      let bytes = try? file.readToEnd()
    else { return nil }
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// Lines that are neither a group nor a key count as comments.
  init(_ text: String) {
    var group = ""
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("["), let end = line.lastIndex(of: "]") {
        group = String(line[line.index(after: line.startIndex)..<end])
      } else if !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
        let key = Self.trimmed(line[..<equals])
        // The first of two with one name counts.
        if groups[group]?[key] == nil {
          groups[group, default: [:]][key] = Self.trimmed(line[line.index(after: equals)...])
        }
      }
    }
  }

  func value(_ group: String, _ key: String) -> String? { groups[group]?[key] }

  func number(_ group: String, _ key: String) -> Int? {
    value(group, key).flatMap(Int.init).flatMap { (0..<100_000).contains($0) ? $0 : nil }
  }

  func list(_ group: String, _ key: String, separator: Character) -> [String] {
    (value(group, key) ?? "").split(separator: separator).map { Self.trimmed($0) }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
