/// Command lines by the conventions of getopt_long(3): `--name VALUE`, `--name=VALUE`, unambiguous
/// beginnings of names, `-h`, and `--` before operands.
package struct OptionParser: Sendable {
  /// One option.
  package struct Option: Sendable {
    let name: String
    let value: String?
    let help: String

    /// An option; `value` stands for its value in the help and is nil where it takes none.
    package init(_ name: String, _ value: String? = nil, _ help: String) {
      self.name = name
      self.value = value
      self.help = help
    }
  }

  private let program: String
  private let summary: String
  private let options: [Option]

  package init(program: String, summary: String, options: [Option]) {
    self.program = program
    self.summary = summary
    self.options = options + [Option("help", nil, "print this and end")]
  }

  /// What `--help` prints.
  package var help: String {
    let names = options.map { "--\($0.name)\($0.value.map { " \($0)" } ?? "")" }
    let width = (names.map(\.count).max() ?? 0) + 2
    let lines = zip(names, options).map { name, option in
      "  \(name)\(String(repeating: " ", count: width - name.count))\(option.help)"
    }
    return "usage: \(program) [OPTION]...\n\(summary)\n\n\(lines.joined(separator: "\n"))\n"
  }

  /// - Throws: ``UsageError``: end with 64.
  package func parse(_ arguments: [String]) throws(UsageError) -> ParsedOptions {
    var parsed = ParsedOptions(program: program)
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        if let operand = rest.first { throw unexpected(operand) }
        break
      }
      if word == "-h" {
        parsed.values["help"] = ""
        continue
      }
      guard word.hasPrefix("--") else { throw unexpected(word) }
      let parts = word.dropFirst(2).split(
        separator: "=",
        maxSplits: 1,
        omittingEmptySubsequences: false
      )
      let option = try find(String(parts[0]))
      let attached = parts.count == 2 ? String(parts[1]) : nil
      guard option.value != nil else {
        if attached != nil {
          throw UsageError("\(program): option '--\(option.name)' doesn't allow an argument")
        }
        parsed.values[option.name] = ""
        continue
      }
      guard let value = attached ?? rest.popFirst() else {
        throw UsageError("\(program): option '--\(option.name)' requires an argument")
      }
      parsed.values[option.name] = value
    }
    return parsed
  }

  private func find(_ name: String) throws(UsageError) -> Option {
    if let exact = options.first(where: { $0.name == name }) { return exact }
    let candidates = options.filter { $0.name.hasPrefix(name) }
    if let only = candidates.first, candidates.count == 1, !name.isEmpty { return only }
    let fault = candidates.count > 1 ? "is ambiguous" : "is unknown"
    throw UsageError("\(program): option '--\(name)' \(fault); see --help")
  }

  private func unexpected(_ word: String) -> UsageError {
    UsageError("\(program): '\(word)' is not expected; see --help")
  }
}

/// What a command line said.
package struct ParsedOptions: Sendable {
  fileprivate let program: String
  fileprivate(set) var values: [String: String] = [:]

  fileprivate init(program: String) { self.program = program }

  /// Whether the option was given.
  package func has(_ name: String) -> Bool { values[name] != nil }
  /// The option's value.
  package func string(_ name: String) -> String? { values[name] }

  /// The option's value as a number in a range.
  package func number(_ name: String, default standard: Double, in range: ClosedRange<Double>)
    throws(UsageError) -> Double
  {
    guard let text = values[name] else { return standard }
    guard let value = Double(text), range.contains(value) else {
      throw UsageError(
        "\(program): --\(name) takes a number from \(Figure.short(range.lowerBound)) to "
          + "\(Figure.short(range.upperBound)), not '\(text)'"
      )
    }
    return value
  }

  /// The option's value as a whole number in a range.
  package func integer(_ name: String, default standard: Int, in range: ClosedRange<Int>)
    throws(UsageError) -> Int
  {
    guard let text = values[name] else { return standard }
    guard let value = Int(text), range.contains(value) else {
      throw UsageError(
        "\(program): --\(name) takes a whole number from \(range.lowerBound) to "
          + "\(range.upperBound), not '\(text)'"
      )
    }
    return value
  }
}

/// A command line that says nothing sensible; its text is one line for standard error.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
  /// EX_USAGE of sysexits.h.
  package static let exitStatus: Int32 = 64
}
