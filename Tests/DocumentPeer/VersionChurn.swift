import Documents
import Foundation
import LinuxSystem

/// Adds and removes versions, as fast as it can.
enum VersionChurn {
  static func run(_ file: String, _ count: Int) -> Never {
    let url = URL(fileURLWithPath: file)
    say("begins")
    do {
      for number in 0..<count {
        let version = try NSFileVersion.addOfItem(at: url, withContentsOf: url)
        if number % 2 == 1 { try version.remove() }
      }
      say("ended")
      Environment.exit(0)
    } catch {
      say("failed: \(error)")
      Environment.exit(1)
    }
  }

  /// Settles all conflicts of a file, as a program does that knows nothing of others' unsaved text.
  static func resolve(_ file: String) -> Never {
    let url = URL(fileURLWithPath: file)
    let versions = NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? []
    for version in versions { version.isResolved = true }
    say("resolved \(versions.count)")
    Environment.exit(0)
  }
}
