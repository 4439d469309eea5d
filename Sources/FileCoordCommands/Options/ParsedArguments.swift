import LinuxSystem

/// The words after a verb, sorted into options, operands and a command.
///
/// The conventions of getopt_long(3): options anywhere before `--`, `--name=value` or
/// `--name value`, unambiguous abbreviations, letters bundled after one hyphen. What follows the
/// first `--` is the command for a verb that runs one, else operands.
struct ParsedArguments {
  private var values: [OptionDescription: [FilePath]] = [:]
  private(set) var operands: [FilePath] = []
  /// What follows `--`; nil without a `--`.
  private(set) var command: [FilePath]?

  /// - Throws: ``CommandFailure`` with status 64.
  init(_ words: [FilePath], options: [OptionDescription], takesCommand: Bool = false) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      let bytes = Array(word.bytes)
      if bytes == [.hyphen, .hyphen] {
        if takesCommand { command = Array(rest) } else { operands += rest }
        return
      }
      if bytes.starts(with: [.hyphen, .hyphen]) {
        try takeLong(bytes.dropFirst(2), &rest, options)
      } else if bytes.count > 1, bytes[0] == .hyphen {
        try takeShort(bytes.dropFirst(), &rest, options)
      } else {
        operands.append(word)
      }
    }
  }

  /// Whether the option was given.
  func has(_ option: OptionDescription) -> Bool { values[option] != nil }

  /// The last value that was given for the option.
  func value(_ option: OptionDescription) -> FilePath? { values[option]?.last }

  /// The last value as text.
  ///
  /// - Throws: ``CommandFailure`` with status 64 where it is empty or not UTF-8.
  func text(_ option: OptionDescription) throws -> String? {
    guard let value = value(option) else { return nil }
    guard let text = value.string, !text.isEmpty else {
      throw CommandFailure(.usage, "invalid argument '\(value)' for --\(option.long)")
    }
    return text
  }

  /// The last value as a time in seconds, fractions allowed.
  ///
  /// - Throws: ``CommandFailure`` with status 64 where it is no number or negative.
  func duration(_ option: OptionDescription) throws -> Duration? {
    guard let text = try text(option) else { return nil }
    guard let seconds = Double(text), seconds >= 0, seconds <= 1e9 else {
      throw CommandFailure(.usage, "invalid number of seconds '\(text)' for --\(option.long)")
    }
    return .seconds(seconds)
  }

  private mutating func takeLong(
    _ bytes: ArraySlice<UInt8>,
    _ rest: inout ArraySlice<FilePath>,
    _ options: [OptionDescription]
  ) throws {
    let end = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex
    let name = String(decoding: bytes[..<end], as: UTF8.self)
    let option = try Self.find(name, options)
    let attached = end < bytes.endIndex ? FilePath(bytes: bytes[(end + 1)...]) : nil
    if option.argument == nil {
      guard attached == nil else {
        throw CommandFailure(.usage, "option '--\(option.long)' does not take an argument")
      }
      values[option, default: []].append(FilePath(""))
    } else if let value = attached ?? rest.popFirst() {
      values[option, default: []].append(value)
    } else {
      throw CommandFailure(.usage, "option '--\(option.long)' requires an argument")
    }
  }

  private mutating func takeShort(
    _ letters: ArraySlice<UInt8>,
    _ rest: inout ArraySlice<FilePath>,
    _ options: [OptionDescription]
  ) throws {
    var letters = letters
    while let letter = letters.popFirst() {
      let character = Character(Unicode.Scalar(letter))
      guard let option = options.first(where: { $0.short == character }) else {
        throw CommandFailure(.usage, "invalid option '-\(character)'")
      }
      if option.argument == nil {
        values[option, default: []].append(FilePath(""))
        continue
      }
      guard let value = letters.isEmpty ? rest.popFirst() : FilePath(bytes: letters) else {
        throw CommandFailure(.usage, "option '-\(character)' requires an argument")
      }
      values[option, default: []].append(value)
      return
    }
  }

  private static func find(
    _ name: String,
    _ options: [OptionDescription]
  ) throws -> OptionDescription {
    if let exact = options.first(where: { $0.long == name }) { return exact }
    let matches = options.filter { !name.isEmpty && $0.long.hasPrefix(name) && !$0.isHidden }
    if matches.count > 1 {
      let names = matches.map { "'--\($0.long)'" }.joined(separator: ", ")
      throw CommandFailure(.usage, "option '--\(name)' is ambiguous; possible: \(names)")
    }
    guard let match = matches.first else {
      throw CommandFailure(.usage, "unrecognized option '--\(name)'")
    }
    return match
  }
}

extension UInt8 {
  fileprivate static let hyphen = UInt8(ascii: "-")
}
