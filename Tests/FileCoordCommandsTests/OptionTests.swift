import LinuxSystem
import Testing

@testable import FileCoordCommands

@Suite struct OptionTests {
  private let plain = OptionDescription("plain", "p", "plain")
  private let place = OptionDescription("place", "l", argument: "WHERE", "with an argument")
  private let other = OptionDescription("other", nil, argument: "X", "without a letter")

  private func parse(_ words: String..., takesCommand: Bool = false) throws -> ParsedArguments {
    try ParsedArguments(
      words.map { FilePath($0) },
      options: [plain, place, other],
      takesCommand: takesCommand
    )
  }

  private func message(_ words: String...) -> String? {
    let error = #expect(throws: CommandFailure.self) {
      try ParsedArguments(words.map { FilePath($0) }, options: [plain, place, other])
    }
    #expect(error?.status == .usage)
    return error?.description
  }

  @Test func `options may stand before, between and behind operands`() throws {
    let parsed = try parse("a", "--plain", "b", "-l", "here", "c")

    #expect(parsed.has(plain))
    #expect(parsed.value(place) == FilePath("here"))
    #expect(parsed.operands == ["a", "b", "c"].map { FilePath($0) })
  }

  @Test func `an argument may be attached or follow`() throws {
    #expect(try parse("--place=x").value(place) == FilePath("x"))
    #expect(try parse("--place", "x").value(place) == FilePath("x"))
    #expect(try parse("-lx").value(place) == FilePath("x"))
    #expect(try parse("-l", "x").value(place) == FilePath("x"))
    #expect(try parse("--place=").value(place) == FilePath(""))
    #expect(try parse("--place", "--plain").value(place) == FilePath("--plain"))
  }

  @Test func `letters can be bundled, the last with an argument`() throws {
    let parsed = try parse("-ppl", "x")

    #expect(parsed.has(plain))
    #expect(parsed.value(place) == FilePath("x"))
  }

  @Test func `an abbreviation is taken if it is unambiguous`() throws {
    #expect(try parse("--plac=x", "--oth", "z").value(other) == FilePath("z"))
  }

  @Test func `an ambiguous, unknown or incomplete option is a usage error`() {
    #expect(message("--pla") == "option '--pla' is ambiguous; possible: '--plain', '--place'")
    #expect(message("--nothing") == "unrecognized option '--nothing'")
    #expect(message("-x") == "invalid option '-x'")
    #expect(message("--place") == "option '--place' requires an argument")
    #expect(message("-l") == "option '-l' requires an argument")
    #expect(message("--plain=x") == "option '--plain' does not take an argument")
    #expect(message("--=x")?.hasPrefix("unrecognized") == true)
  }

  @Test func `two hyphens end the options`() throws {
    let parsed = try parse("a", "--", "--plain", "--")

    #expect(!parsed.has(plain))
    #expect(parsed.operands == ["a", "--plain", "--"].map { FilePath($0) })
  }

  @Test func `what follows two hyphens is the command, hyphens and all`() throws {
    let parsed = try parse("a", "-", "--", "sh", "-c", "--", takesCommand: true)

    #expect(parsed.operands == ["a", "-"].map { FilePath($0) })
    #expect(parsed.command == ["sh", "-c", "--"].map { FilePath($0) })
    #expect(try parse("a", takesCommand: true).command == nil)
  }

  @Test func `bytes that are not UTF-8 survive`() throws {
    let name = FilePath(bytes: [0x61, 0xff])
    let parsed = try ParsedArguments(
      [name, FilePath(bytes: Array("--place=".utf8) + [0xfe])],
      options: [place]
    )

    #expect(parsed.operands == [name])
    #expect(parsed.value(place) == FilePath(bytes: [0xfe]))
  }

  @Test(arguments: ["x", "-1", "nan", "inf", "1e99", ""])
  func `a time that is none is a usage error`(_ text: String) {
    let error = #expect(throws: CommandFailure.self) {
      try parse("--place=\(text)").duration(place)
    }
    #expect(error?.status == .usage)
  }

  @Test func `times are seconds with fractions`() throws {
    #expect(try parse("--place=0").duration(place) == .zero)
    #expect(try parse("--place=1.5").duration(place) == .milliseconds(1500))
    #expect(try parse().duration(place) == nil)
  }

  @Test func `every pair of braces stands for a path, in turn`() {
    func fill(_ words: [String], _ paths: [String]) -> [String] {
      CommandRun.fill(words.map { FilePath($0) }, with: paths.map { FilePath($0) })
        .map(\.description)
    }
    #expect(fill(["a", "{}", "b{}c{}"], ["/1", "/2"]) == ["a", "/1", "b/2c/1"])
    #expect(fill(["{}{}"], ["/1"]) == ["/1/1"])
    #expect(fill(["{ }", "{", "}", "{{}}"], ["/{}"]) == ["{ }", "{", "}", "{/{}}"])
    #expect(fill(["sh"], ["/1"]) == ["sh"])
  }
}
