import CoordinationRuntime
import LinuxSystem

/// What a path stood for when it was last looked at: a guess, until it was looked at again under the
/// locks that it names.
final class ItemPlan: Sendable {
  let raw: FilePath
  let followsLink: Bool
  let identity: ItemIdentity
  /// Where this process reaches the item: another path than the item's own in a confined program.
  let canonical: FilePath
  /// The directory whose freedom from links proves that the guess still holds; nil: it takes a full
  /// resolution to know.
  let provenBy: FilePath?

  init(_ raw: FilePath, followsLink: Bool, resolver: ItemResolver) throws(SystemError) {
    self.raw = raw
    self.followsLink = followsLink
    canonical = try resolver.canonical(raw, followingLink: followsLink)
    identity = resolver.identity(of: ItemResolver.item(at: canonical))
    // Spelled canonically but for a slash at the end, and without a last link to follow.
    let isSpelledOut = raw.withoutTrailingSlashes == identity.item
    provenBy = isSpelledOut && !followsLink ? identity.item.parent : nil
  }

  /// Whether the path still stands for the same item.
  ///
  /// Two system calls, where it is spelled out.
  func stillHolds(_ resolver: ItemResolver) throws(SystemError) -> Bool {
    if let provenBy {
      switch Descriptor.isFreeOfLinks(provenBy) {
      case true?: return true
      case false?: return false
      case nil: break
      }
    } else if identity.item.parent == nil {
      return true
    }
    return try resolver.item(raw, followingLink: followsLink) == identity.item
  }
}

/// A plan and the nodes it needs.
///
/// Confined to the table's mutex.
final class PlanEntry {
  let plan: ItemPlan
  /// The tree nodes of the directories above, from the root down.
  @exclusivity(unchecked) var trees: [Int32] = []
  @exclusivity(unchecked) var item: Int32 = -1
  @exclusivity(unchecked) var tree: Int32 = -1
  /// Nodes were dropped from the cache since: look them up again.
  @exclusivity(unchecked) var epoch: UInt32 = 0
  /// Sum of the write generations of ``trees`` when the packages were last looked at.
  @exclusivity(unchecked) var stamp: UInt64 = 0
  /// When that was last compared under the locks of ``trees``, in monotonic nanoseconds.
  @exclusivity(unchecked) var stampSeenAt: UInt64 = 0
  /// When a name last came or went among the lock files, as of a look at those of ``trees`` and ``item``.
  @exclusivity(unchecked) var linkedAsOf: FileStatus.Time?
  /// When the packages were last looked at, in monotonic nanoseconds.
  @exclusivity(unchecked) var packagesReadAt: UInt64 = 0

  init(_ plan: ItemPlan) { self.plan = plan }
}

/// What a plan is found by.
struct PlanKey: Hashable {
  let path: FilePath
  let followsLink: Bool
}

extension FilePath {
  /// This path without slashes at its end; the root stays.
  var withoutTrailingSlashes: FilePath {
    let bytes = bytes
    guard bytes.count > 1, bytes.last == .slash else { return self }
    var end = bytes.endIndex
    while end > bytes.startIndex + 1, bytes[end - 1] == .slash { end -= 1 }
    return FilePath(bytes: bytes[..<end])
  }
}
