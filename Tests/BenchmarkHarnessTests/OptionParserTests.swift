import BenchmarkHarness
import Testing

@Suite struct OptionParserTests {
  private let parser = OptionParser(
    program: "probe",
    summary: "Probes.",
    options: [
      .init("seconds", "S", "how long"), .init("json", nil, "as JSON"),
      .init("jobs", "N", "how many"),
    ]
  )

  @Test func `a value may follow after a blank or an equals sign`() throws {
    #expect(try parser.parse(["--seconds", "2"]).string("seconds") == "2")
    #expect(try parser.parse(["--seconds=2"]).string("seconds") == "2")
  }

  @Test func `the beginning of a name is enough when no other begins alike`() throws {
    #expect(try parser.parse(["--sec", "2", "--js"]).has("json"))
    #expect(throws: UsageError.self) { try parser.parse(["--j"]) }
  }

  @Test(arguments: [
    ["--nonsense"], ["--seconds"], ["--json=1"], ["operand"], ["-x"], ["--", "operand"],
  ])
  func `what makes no sense is refused`(_ arguments: [String]) {
    #expect(throws: UsageError.self) { try parser.parse(arguments) }
  }

  @Test func `numbers out of range are refused`() throws {
    let parsed = try parser.parse(["--seconds", "1e9", "--jobs", "1.5"])

    #expect(throws: UsageError.self) { try parsed.number("seconds", default: 1, in: 0...60) }
    #expect(throws: UsageError.self) { try parsed.integer("jobs", default: 1, in: 1...8) }
  }

  @Test func `the help names every option`() {
    for name in ["--seconds S", "--json", "--jobs N", "--help"] {
      #expect(parser.help.contains(name))
    }
  }
}
