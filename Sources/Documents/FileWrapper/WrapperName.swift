import LinuxSystem

/// The rules for names of wrappers.
enum WrapperName {
  /// Between the number and the name of a key that had to be made unique, as found in packages.
  private static let mark = "__#$!@%!#__"

  /// What is wrong with `name` as the name of a file; nil if nothing is.
  static func fault(of name: String?) -> String? {
    guard let name, !name.isEmpty else { return "it has none" }
    if name == "." || name == ".." { return "“\(name)” is a directory of its own" }
    if name.utf8.contains(.slash) { return "“\(name)” contains a slash" }
    if name.utf8.contains(0) { return "“\(name)” contains a NUL" }
    return nil
  }

  /// The key for a child that prefers `name`, where `isTaken` says which are.
  static func key(
    for name: String,
    _ naming: FileWrapper.DuplicateNaming,
    isTaken: (String) -> Bool
  ) -> String {
    guard isTaken(name) else { return name }
    var number = naming == .marked ? 1 : 2
    while true {
      let candidate =
        switch naming {
        case .marked: "\(number)\(mark)\(unmarked(name))"
        case .readable: readable(name, number)
        }
      if !isTaken(candidate) { return candidate }
      number += 1
    }
  }

  /// The name within a key that was made unique; any other name as it is.
  static func unmarked(_ key: String) -> String {
    let digits = key.prefix { $0.isASCII && $0.isNumber }
    let rest = key.dropFirst(digits.count)
    guard !digits.isEmpty, rest.hasPrefix(mark), rest.count > mark.count else { return key }
    return String(rest.dropFirst(mark.count))
  }

  private static func readable(_ name: String, _ number: Int) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      return "\(name) \(number)"
    }
    return "\(name[..<dot]) \(number)\(name[dot...])"
  }
}
