import LinuxSystem

// The other process of the link's tests: does what the lines on its standard input say, and reports
// in lines on its standard output. With `latency` it measures instead.

do {
  switch CommandLine.arguments.dropFirst().first {
  case "latency": try Latency.run(rounds: CommandLine.arguments.last.flatMap(Int.init) ?? 20_000)
  case "echo": try Latency.echo(in: FilePath(CommandLine.arguments[2]))
  case "knock": try Knock.at(FilePath(CommandLine.arguments[2]))
  default: try LinkPeer().run()
  }
} catch {
  StandardError.write("link-peer: \(error)\n")
  ForkedChild.leave(1)
}
