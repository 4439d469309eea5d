import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess, .slow)) struct DemoVerbTests {
  @Test func `under coordination nothing is lost`() async throws {
    let result = try await World().filecoord("demo")

    #expect(result.status == 0, "\(result.output)\n\(result.errors)")
    #expect(result.lines.first?.contains("editor A") == true)
    #expect(result.output.contains("granted"))
    #expect(result.output.contains("wrote line 1"))
    #expect(result.output.contains("hears of a change"))
    #expect(result.lines.last?.contains("nothing lost") == true)
  }

  /// Ruling 9: with coordination switched off the demo must fail.
  @Test func `without coordination updates are lost, and the demo says so`() async throws {
    let result = try await World().filecoord("demo", "--without-coordination")

    #expect(result.status == 1, "\(result.output)\n\(result.errors)")
    #expect(result.output.contains("LOST:"))
    #expect(!result.output.contains("granted"))
  }

  @Test func `an interrupted demo ends with 130`() async throws {
    let tool = try World().start("demo")
    tool.signal(.interrupt)
    let result = try await tool.end()

    #expect(result.status == 130 || result.status == 0)
  }
}
