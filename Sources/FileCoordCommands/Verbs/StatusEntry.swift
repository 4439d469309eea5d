import FileCoordination
import Foundation
import LinuxSystem

/// One line of the status.
struct StatusEntry: Encodable, Hashable, Sendable {
  struct Party: Encodable, Hashable, Sendable {
    let pid: Int32
    let process: String
  }
  /// holds, waits, asks, presents or polls.
  let state: String
  let kind: String?
  let pid: Int32
  let process: String
  let stopped: Bool
  let path: String
  let url: String
  let purpose: String?
  let since: Date?
  let `for`: [Party]?
  let reason: String?
  /// begins or ends, with --watch.
  var change: String?

  /// Everything in the runtime directory of this process that concerns the path.
  static func all(concerning path: FilePath?) throws -> [StatusEntry] { [] }
}
