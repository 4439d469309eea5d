import Foundation

/// A benchmark that prints measures: its options, what it prints, and how it ends.
package struct MeasuringProgram: Sendable {
  /// A group of measures by the beginning of their names.
  package struct Group {
    let name: String
    let measure: () async throws -> [Measure]

    package init(_ name: String, _ measure: @escaping () async throws -> [Measure]) {
      self.name = name
      self.measure = measure
    }
  }

  private let name: String
  private let parser: OptionParser

  /// `options` come beside `--check`, `--json` and `--only`.
  package init(_ name: String, _ summary: String, options: [OptionParser.Option]) {
    self.name = name
    let common: [OptionParser.Option] = [
      .init("check", nil, "status 1 if something that must be reached is not"),
      .init("json", nil, "one JSON object per measure"),
      .init("only", "PREFIX", "only measures whose names begin so"),
    ]
    parser = OptionParser(program: name, summary: summary, options: common + options)
  }

  /// Gives the status to end with.
  package func run(
    _ arguments: [String],
    isolation: isolated (any Actor)? = #isolation,
    _ groups: (ParsedOptions) async throws -> [Group]
  ) async -> Int32 {
    do {
      let options = try parser.parse(arguments)
      if options.has("help") {
        print(parser.help, terminator: "")
        return 0
      }
      let only = options.string("only") ?? ""
      var isGood = true
      for group in try await groups(options)
      where group.name.hasPrefix(only) || only.hasPrefix(group.name) {
        for measure in try await group.measure() where measure.isNamed(only) {
          print(options.has("json") ? try measure.json : measure.line)
          if !measure.isReached { isGood = false }
        }
      }
      return options.has("check") && !isGood ? 1 : 0
    } catch let end as Ended {
      return end.status
    } catch let error as UsageError {
      Terminal.complain("\(error)")
      return UsageError.exitStatus
    } catch {
      Terminal.complain("\(name): \(error)")
      return 2
    }
  }

  /// Thrown by who did something else than measuring, with the status to end with.
  package struct Ended: Error {
    let status: Int32
    package init(_ status: Int32) { self.status = status }
  }
}
