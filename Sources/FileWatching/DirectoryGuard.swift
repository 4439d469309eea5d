import LinuxSystem

/// Somebody who must know at once that a directory of its own was taken from it.
///
/// Told of less than a watcher is, and by a watch of less: not of what is written or made there.
package final class DirectoryGuard: Sendable {
  let directory: SharedDescriptor
  /// Runs on the monitor's thread, like ``isInForce``: neither may block.
  let heard: @Sendable () -> Void
  let isInForce: @Sendable (Bool) -> Void

  static let mask: InotifyMask = [.deleted, .movedFrom, .movedTo, .selfDeleted, .selfMoved]

  init(
    _ directory: SharedDescriptor,
    _ isInForce: @escaping @Sendable (Bool) -> Void,
    _ heard: @escaping @Sendable () -> Void
  ) {
    self.directory = directory
    self.heard = heard
    self.isInForce = isInForce
  }
}

extension Engine {
  private static let guarding = DirectoryGuard.mask.union([.onlyDirectory, .add])

  func post(_ new: DirectoryGuard) {
    guards[ObjectIdentifier(new)] = new
    setWatch(new)
  }

  func dismiss(_ old: DirectoryGuard) {
    guards[ObjectIdentifier(old)] = nil
    for (watch, use) in watches where use.guards.contains(where: { $0 === old }) {
      watches[watch]?.guards.removeAll { $0 === old }
      freeIfUnused(watch)
    }
  }

  /// After records were lost, or where no source was to be had before.
  func renewGuards(afterLoss: Bool) {
    for each in guards.values {
      setWatch(each)
      if afterLoss { each.heard() }
    }
  }

  private func setWatch(_ each: DirectoryGuard) {
    let watch = try? source?.add(each.directory.number, isDirectory: true, Self.guarding)
    // Refused, or no source: who set it looks by itself.
    guard let watch else { return each.isInForce(false) }
    if watches[watch]?.guards.contains(where: { $0 === each }) != true {
      watches[watch, default: WatchUse()].guards.append(each)
    }
    each.isInForce(true)
  }
}
