import CoordinationRuntime
import FileWatching
import Foundation
import LinuxSystem

/// What a process polls because the kernel does not report it, shown in its folder for everybody.
enum PolledTrees {
  /// One polled tree, as it is shown.
  struct Entry: Codable, Sendable {
    /// A URL, because a path may hold bytes that JSON cannot.
    let url: URL
    let reason: String
  }

  private static let name = FilePath("polled")

  /// Shows what this process polls now.
  static func publish(_ trees: [DegradedTree]) {
    do {
      let folder = try PeerFolder.ours(in: RuntimeDirectory.shared())
      let entries = trees.map { Entry(url: $0.path.url(), reason: $0.reason) }
      let bytes = Array(try JSONEncoder().encode(entries))
      let fresh = FilePath("polled.new")
      try folder.directory.with { directory in
        let file = try Descriptor.open(
          fresh,
          [.writeOnly, .create, .truncate, .noFollow],
          in: directory
        )
        try file.write(bytes)
      }
      try FileSystem.rename(fresh, to: name, at: folder.directory.number)
    } catch {
      Diagnostics.report("filecoord status will not show what is polled: \(error)")
    }
  }

  /// What another process polls; nothing if it shows nothing.
  static func read(of process: ProcessIdentity, in runtime: RuntimeDirectory) -> [Entry] {
    let path = RuntimeDirectory.peers
      .appending(PeerFolder.name(of: process).bytes).appending(name.bytes)
    // No such file: nothing is polled. A process that is just ending: it polls nothing any more.
    guard let file = try? runtime.openFile(path, .readOnly), let bytes = try? file.readToEnd(),
      let entries = try? JSONDecoder().decode([Entry].self, from: Data(bytes))
    else { return [] }
    return entries
  }
}
