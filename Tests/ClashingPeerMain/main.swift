import CClash
import FileWatching
import Foundation

// As watching-peer, in a host with a global that clashes with libinotifytools.

/// Written at once: who reads it waits for it.
@Sendable func say(_ words: String) { FileHandle.standardOutput.write(Data((words + "\n").utf8)) }

precondition(clashing_host_value() == 1)
let watchers = try CommandLine.arguments.dropFirst().map { word in
  try FileWatcher(URL(filePath: word)) { change in
    switch change {
    case .changed(let url): say("changed \(url.path)")
    case .degraded(let reason): say("degraded \(reason)")
    default: break
    }
  }
}
say("watching")
// Until standard input ends.
while readLine() != nil {}
withExtendedLifetime(watchers) {}
