import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Printing on a real CUPS scheduler of the test's own.
@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn, .tags(.multiProcess)) struct PrintingTests {
  /// Waits for the job to be over and says the line of lpstat on it.
  private func completed(_ job: Int, _ desktop: Desktop, _ server: PrintServer) async throws
    -> String
  {
    for _ in 0..<200 {
      let list = try await desktop.run(
        "/usr/bin/lpstat",
        ["-W", "completed", "-o"],
        server.environment
      )
      #expect(list.status == 0, "\(list.errors)")
      if let line = list.lines.first(where: { $0.hasPrefix("\(PrintServer.printer)-\(job) ") }) {
        return line
      }
    }
    throw NotInTime("job \(job) did not end")
  }

  @Test func `the menu's print action makes a job with the file's name and contents`() async throws
  {
    let server = try await PrintServer()
    let desktop = try Desktop { File("Über uns & so.txt", "to be printed") }
    let result = try await desktop.run(
      World.product("interaction-peer").description,
      ["send", desktop.path("Über uns & so.txt"), "print:", "x"],
      server.environment
    )
    #expect(result.output.contains("Print"))
    #expect(!result.output.contains("failed"), "\(result.output)")
    _ = try await completed(1, desktop, server)
    #expect(server.pages == ["Fake job 1 title <Über uns & so.txt>"])
    #expect(server.contents(of: 1) == "to be printed")
  }

  @Test func `the command prints each file, as often as it is told, on the printer it is told`()
    async throws
  {
    let server = try await PrintServer()
    let desktop = try Desktop {
      File("a.txt", "one")
      File("-d evil $(touch pwned)\n.txt", "two")
    }
    let result = try await desktop.filecoord(
      "print",
      "--printer",
      PrintServer.printer,
      "--copies=3",
      desktop.path("a.txt"),
      desktop.path("-d evil $(touch pwned)\n.txt"),
      extra: server.environment
    )
    #expect(result.status == 0, "\(result.errors)")
    for job in 1...2 { _ = try await completed(job, desktop, server) }
    #expect(server.pages.first == "Fake job 1 title <a.txt>")
    #expect(server.pages.last?.hasSuffix("title <-d evil $(touch pwned)␊.txt>") == true)
    #expect([1, 2].map { server.contents(of: $0) } == ["one", "two"])
    for job in 1...2 {
      try await eventually("job \(job) is for three copies") { server.copies(of: job) == 3 }
    }
    #expect(!desktop.world.exists("pwned"))
  }

  @Test func `an unknown printer, a folder and a scheduler that is not there are told`()
    async throws
  {
    let server = try await PrintServer()
    let desktop = try Desktop {
      File("a.txt", "x")
      Directory("d") {}
    }
    let unknown = try await desktop.filecoord(
      "print",
      "-d",
      "nobody",
      desktop.path("a.txt"),
      extra: server.environment
    )
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("The printer or class does not exist"), "\(unknown.errors)")
    let folder = try await desktop.filecoord("print", desktop.path("d"), extra: server.environment)
    #expect(folder.status == 1)
    #expect(folder.errors.contains("only files can be printed"), "\(folder.errors)")
    let missing = try await desktop.filecoord("print", desktop.path("none"))
    #expect(missing.status == 66)
    let alone = try await desktop.filecoord(
      "print",
      desktop.path("a.txt"),
      extra: ["CUPS_SERVER=\(desktop.path("no-socket"))"]
    )
    #expect(alone.status == 1)
    #expect(alone.errors.contains("Error - No default destination"), "\(alone.errors)")
    #expect(alone.errors.contains("lpstat -r"))
    #expect(server.pages.isEmpty)
  }

  @Test(arguments: ["0", "-1", "x", "10000"])
  func `a number of copies that is none is refused`(_ number: String) async throws {
    let desktop = try Desktop { File("a.txt", "x") }
    #expect(
      try await desktop.filecoord("print", "--copies=\(number)", desktop.path("a.txt")).status
        == 64
    )
  }
}
