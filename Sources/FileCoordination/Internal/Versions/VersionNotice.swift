import CoordinationRuntime
import Foundation
import LinuxSystem
import PresenterLink
import VersionStore

/// A version of an item was gained, lost or resolved.
struct VersionNotice: Sendable {
  enum Kind: UInt8, Sendable { case gained = 1, lost = 2, resolved = 3 }
  let kind: Kind
  let version: StoredVersion

  /// As it crosses between processes.
  private struct Payload: Codable {
    var id: Int64
    var item: [UInt8]
    var contents: String
    var name: String
    var computer: String?
    var seconds: Int
    var nanoseconds: Int
    var added: Int64
    var size: Int64
    var flags: Int
  }

  init(_ kind: Kind, _ version: StoredVersion) {
    self.kind = kind
    self.version = version
  }

  /// Nil for a kind, or a description, that a later version of the protocol knows.
  init?(kind: UInt8, payload: [UInt8]) {
    guard let kind = Kind(rawValue: kind),
      let value = try? JSONDecoder().decode(Payload.self, from: Data(payload))
    else { return nil }
    self.kind = kind
    version = StoredVersion(
      id: value.id,
      item: FilePath(bytes: value.item),
      contents: value.contents,
      name: value.name,
      computer: value.computer,
      modified: FileStatus.Time(seconds: value.seconds, nanoseconds: value.nanoseconds),
      added: value.added,
      size: value.size,
      isConflict: value.flags & 1 != 0,
      isResolved: value.flags & 2 != 0,
      isDiscardable: value.flags & 4 != 0
    )
  }

  private var notice: Notice? {
    let value = Payload(
      id: version.id,
      item: Array(version.item.bytes),
      contents: version.contents,
      name: version.name,
      computer: version.computer,
      seconds: version.modified.seconds,
      nanoseconds: version.modified.nanoseconds,
      added: version.added,
      size: version.size,
      flags: (version.isConflict ? 1 : 0) | (version.isResolved ? 2 : 0)
        | (version.isDiscardable ? 4 : 0)
    )
    // Numbers and text always encode.
    guard let data = try? JSONEncoder().encode(value) else { return nil }
    return .version(version.item, kind: kind.rawValue, payload: Array(data))
  }

  /// Tells the presenters of the item, and of the directories that hold it, in every process.
  func announce() {
    if kind != .gained { SettledConflicts.add(version) }
    let query = PresenceQuery(upwards: [version.item])
    guard let notice, !PresenterRegistry.isEmpty || PresenterNetwork.mayBePresented(query) else {
      return
    }
    AccessAudience(ClaimID.next(), excluding: nil, onBehalfOf: [])
      .tell(notice, presenting: query)
  }

  /// Puts the messages into the queues of this process's presenters.
  func deliver(about item: FilePath, excluding excluded: ObjectIdentifier?) {
    let (kind, version) = (kind, version)
    for record in PresenterRegistry.presenters(of: item) where record.key != excluded {
      record.deliver { presenter in
        let version = NSFileVersion(version)
        switch kind {
        case .gained: presenter.presentedItemDidGain(version)
        case .lost: presenter.presentedItemDidLose(version)
        case .resolved: presenter.presentedItemDidResolveConflict(version)
        }
      }
    }
    for record in PresenterRegistry.presenters(holding: item) where record.key != excluded {
      guard let place = record.place else { continue }
      let url = place.spelling(of: item).urlOnDisk
      record.deliver { presenter in
        let version = NSFileVersion(version)
        switch kind {
        case .gained: presenter.presentedSubitem(at: url, didGain: version)
        case .lost: presenter.presentedSubitem(at: url, didLose: version)
        case .resolved: presenter.presentedSubitem(at: url, didResolve: version)
        }
      }
    }
  }
}
