import CoordinationRuntime
import LinuxSystem
import PresenterLink

extension AskedItem {
  /// What is asked about an item of a call.
  init(_ item: AccessItem, _ identity: ItemIdentity, isPrepare: Bool) {
    let isPackage = identity.packages.last == identity.item
    // Only what shakes a directory asks for more than the item; others need not look at the disk.
    let mayShake = !item.writingOptions.isDisjoint(with: [.forDeleting, .forMoving, .forReplacing])
    let isDirectory =
      mayShake && (try? FileStatus(of: identity.item).kind) == .directory  // nil: it is not there
    self.init(
      item: identity.item,
      packages: identity.packages,
      access: item.askedAccess,
      isDirectory: isDirectory,
      isPackage: isPackage,
      isPrepare: isPrepare
    )
  }

  var isWriting: Bool {
    if case .writing = access { true } else { false }
  }
}
