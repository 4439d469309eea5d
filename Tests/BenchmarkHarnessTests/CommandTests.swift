import BenchmarkHarness
import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct CommandTests {
  private let program = URL(filePath: Program.own).deletingLastPathComponent()
    .appending(path: "contention-benchmark").path

  @Test func `raw flock excludes and the row says so`() throws {
    let result = try Program.run(
      program,
      [
        "--backends", "flock,tsc-filelock", "--seconds", "0.1", "--workloads", "exclusive",
        "--json",
      ]
    )

    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(
      lines.contains { $0.contains("\"backend\":\"flock\"") && $0.contains("\"excludes\":true") }
    )
    // What cannot be measured is named, not hidden.
    #expect(
      lines.contains { $0.contains("\"name\":\"tsc-filelock\"") && $0.contains("not installed") }
    )
  }

  @Test func `the report fetches nothing`() throws {
    let work = try WorkDirectory()
    let file = "\(work.path)/report.html"

    let result = try Program.run(
      program,
      ["--backends=flock,rwlock-writers", "--seconds=0.1", "--workloads=mixed", "--html", file]
    )

    #expect(result.status == 0)
    let page = try String(contentsOfFile: file, encoding: .utf8)
    for word in ["src=", "@import", "<script", "<link", "url(http"] {
      #expect(!page.contains(word))
    }
    #expect(page.contains("rwlock-writers"))
    #expect(page.contains("<figure>") || page.contains("gnuplot-nox"))
  }

  @Test(arguments: [["--reads", "101"], ["--backends", "nonsense"], ["--workloads", "x"], ["y"]])
  func `a command line that makes no sense ends with 64`(_ arguments: [String]) throws {
    let result = try Program.run(program, arguments)

    #expect(result.status == 64)
    #expect(result.errors.split(separator: "\n").count == 1)
  }
}
