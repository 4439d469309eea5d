package import LinuxSystem

/// What a path stands for when it is claimed: the same in every process and for every spelling.
package struct ItemIdentity: Hashable, Sendable {
  /// What is locked: the item's canonical path, or the outermost file package around it.
  package let claimed: FilePath
  /// The item's own canonical path.
  package let item: FilePath
  /// Every file package that encloses or is the item, outermost first.
  package let packages: [FilePath]

  package init(claimed: FilePath, item: FilePath, packages: [FilePath]) {
    self.claimed = claimed
    self.item = item
    self.packages = packages
  }
}
