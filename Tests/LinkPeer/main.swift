import CoordinationRuntime
import LinuxSystem
import PresenterLink

// The other process of the link's tests: does what the lines on its standard input say, and reports
// in lines on its standard output.

do {
  let peer = try LinkPeer()
  try peer.run()
} catch {
  StandardError.write("link-peer: \(error)\n")
  ForkedChild.leave(1)
}
