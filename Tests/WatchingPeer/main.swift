import FileWatching
import Foundation

// Watches the paths it is given, through the public interface, and prints a line for each change.

/// Written at once: who reads it waits for it.
@Sendable func say(_ words: String...) {
  FileHandle.standardOutput.write(Data((words.joined(separator: " ") + "\n").utf8))
}

let watchers = try CommandLine.arguments.dropFirst().map { word in
  try FileWatcher(URL(filePath: word)) { change in
    switch change {
    case .appeared(let url): say("appeared", url.path)
    case .changed(let url): say("changed", url.path)
    case .deleted(let url): say("deleted", url.path)
    case .moved(let from, let to): say("moved", from.path, to.path)
    case .overlooked(let url): say("overlooked", url.path)
    case .degraded(let reason): say("degraded", reason)
    case .recovered: say("recovered")
    }
  }
}
for tree in FileWatcher.polledTrees { say("polled", tree.url.path, tree.reason) }
say("watching")
// Until standard input ends.
while readLine() != nil {}
withExtendedLifetime(watchers) {}
