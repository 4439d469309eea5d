import LinuxSystem
import VersionStore

/// Versions stay with an item that moves.
enum VersionMoves {
  /// An item moved, with all it holds; one system call where there are no versions of anything.
  static func follow(_ old: FilePath, to new: FilePath) {
    do throws(VersionStoreError) { try VersionStore.ifPresent()?.move(old, to: new) } catch {
      Diagnostics.report("\(old) moved to \(new), but its versions did not: \(error)")
    }
  }
}
