import Fuse
import Synchronization

/// The times of files that were delivered: they stay what their placeholders said, until something is
/// written.
///
/// Programs look at a file, open it and look again. One whose times are others then was changed by
/// somebody else, for vim and tar.
final class KeptTimes: Sendable {
  private struct Kept: Sendable {
    let delivered: ItemStatus
    let promised: ItemStatus
  }
  private let kept = Mutex<[UInt64: Kept]>([:])
  private static let limit = 10_000

  /// A file is here, of which something was promised.
  func keep(_ promised: ItemStatus, for delivered: ItemStatus) {
    kept.withLock { kept in
      if kept.count >= Self.limit { kept.removeAll() }
      kept[delivered.inode] = Kept(delivered: delivered, promised: promised)
    }
  }

  /// What is shown of a file.
  func shown(_ status: ItemStatus) -> ItemStatus {
    kept.withLock { kept in
      guard let known = kept[status.inode] else { return status }
      if status.hasContents(of: known.delivered) { return status.withTimes(of: known.promised) }
      kept[status.inode] = nil
      return status
    }
  }
}
