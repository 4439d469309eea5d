import AccessClaims
import CoordinationRuntime
import LinuxSystem

// The second process of the claim tests: one command per line in, one event per line out.
Signal.pipe.ignore()
let arguments = CommandLine.arguments
if arguments.count > 1, arguments[1] == "bench" {
  try ClaimBench.run(Array(arguments.dropFirst(2)))
} else {
  try PeerLoop(runtime: arguments.count > 1 ? FilePath(arguments[1]) : nil).run()
}
