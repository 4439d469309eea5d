import Foundation
import LinuxSystem
import PresenterLink

/// Tells the presenters of this process what an accessor did (spec: messages after the accessor).
enum NoticeDelivery {
  /// Puts the messages into the presenters' queues.
  ///
  /// The writer's own presenter, `excluded`, hears nothing, but its place is followed.
  static func deliver(_ notice: Notice, excluding excluded: ObjectIdentifier?) {
    switch notice {
    case .changed(let item):
      toItem(item, excluded) { $0.presentedItemDidChange() }
      toHolders(item, excluded) { $0.presentedSubitemDidChange(at: $1) }
    case .appeared(let item):
      toItem(item, excluded) { $0.presentedItemDidChange() }
      toHolders(item, excluded) { $0.presentedSubitemDidAppear(at: $1) }
    case .deleted(let item, let wasAccommodated):
      if !wasAccommodated {
        for record in PresenterRegistry.presenters(of: item)
          + PresenterRegistry.presenters(inside: item) where record.key != excluded
        {
          record.deliver { $0.accommodatePresentedItemDeletion { _ in } }
        }
      }
      toHolders(item, excluded) { $0.presentedSubitemDidChange(at: $1) }
    case .version(let item, let kind, let payload):
      VersionNotice(kind: kind, payload: payload)?.deliver(about: item, excluding: excluded)
    case .moved(let old, let new):
      moved(old, new, excluded)
    case .ubiquity(let item, let keys):
      let changed = Set(keys.map { URLResourceKey(rawValue: $0) })
      for record in PresenterRegistry.presenters(of: item) where record.key != excluded {
        let observed = changed.intersection(record.observedAttributes)
        if !observed.isEmpty {
          record.deliver { $0.presentedItemDidChangeUbiquityAttributes(observed) }
        }
      }
    }
  }

  /// Tells what an access in another process did, and what is otherwise by now.
  ///
  /// A process that was stopped meanwhile takes what strangers did since for the accessor's doing, and
  /// nobody else tells of it.
  static func deliverLate(_ notices: [Notice]) {
    for notice in notices { deliver(notice, excluding: nil) }
    var moves: [(old: FilePath, new: FilePath)] = []
    for case .moved(let old, let new) in notices { moves.append((old, new)) }
    for notice in notices {
      switch notice {
      case .moved(let old, let new):
        if exists(old), !moves.contains(where: { $0.new == old }) {
          deliver(.appeared(old), excluding: nil)
        }
        // Not that it was deleted: another access may have moved it on, and says so.
        if !exists(new), !moves.contains(where: { $0.old == new }) {
          deliver(.changed(new), excluding: nil)
        }
      case .appeared(let item): if !exists(item) { deliver(.changed(item), excluding: nil) }
      case .deleted(let item, _): if exists(item) { deliver(.appeared(item), excluding: nil) }
      case .changed, .version, .ubiquity: break
      }
    }
  }

  /// What cannot be looked at counts as gone.
  private static func exists(_ path: FilePath) -> Bool { (try? FileStatus(of: path)) != nil }

  private static func toItem(
    _ item: FilePath,
    _ excluded: ObjectIdentifier?,
    _ message: @escaping @Sendable (any NSFilePresenter) -> Void
  ) {
    for record in PresenterRegistry.presenters(of: item) where record.key != excluded {
      record.deliver(message)
    }
  }

  private static func toHolders(
    _ item: FilePath,
    _ excluded: ObjectIdentifier?,
    _ message: @escaping @Sendable (any NSFilePresenter, URL) -> Void
  ) {
    for record in PresenterRegistry.presenters(holding: item) where record.key != excluded {
      guard let place = record.place else { continue }
      let url = place.spelling(of: item).urlOnDisk
      record.deliver { message($0, url) }
    }
  }

  private static func moved(_ old: FilePath, _ new: FilePath, _ excluded: ObjectIdentifier?) {
    let displaced =
      PresenterRegistry.presenters(of: old) + PresenterRegistry.presenters(inside: old)
    // Who holds the old or the new place is asked before anybody moves.
    let losing = PresenterRegistry.presenters(holding: old)
    let gaining = PresenterRegistry.presenters(holding: new).filter { record in
      !losing.contains { $0 === record }
    }
    let replaced = PresenterRegistry.presenters(of: new)
    for record in displaced {
      guard let canonical = record.place?.canonical.rebased(from: old, to: new),
        let place = PresenterRegistry.reanchor(record, to: canonical)
      else { continue }
      if record.key != excluded { record.deliverMove(to: place) }
    }
    for record in replaced where record.key != excluded {
      record.deliver { $0.presentedItemDidChange() }
    }
    for record in losing where record.key != excluded {
      guard let place = record.place else { continue }
      let (from, to) = (place.spelling(of: old).url(), place.spelling(of: new).urlOnDisk)
      record.deliver { $0.presentedSubitem(at: from, didMoveTo: to) }
    }
    for record in gaining where record.key != excluded {
      guard let place = record.place else { continue }
      let url = place.spelling(of: new).urlOnDisk
      record.deliver { $0.presentedSubitemDidAppear(at: url) }
    }
  }
}
