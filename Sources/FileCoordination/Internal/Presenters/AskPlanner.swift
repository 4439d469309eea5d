import Foundation
import LinuxSystem
import PresenterLink

/// Decides which presenter of this process is asked what (spec: messages before the accessor).
enum AskPlanner {
  /// The presenters that an access concerns, each once, with all it is asked.
  static func plans(
    for message: AskMessage
  ) -> [(record: PresenterRecord, plan: AskSession.Plan)] {
    var order: [PresenterRecord] = []
    var plans: [ObjectIdentifier: AskSession.Plan] = [:]
    for item in message.items {
      for record in candidates(for: item) {
        guard let place = record.place else { continue }
        var plan = plans[record.key] ?? AskSession.Plan()
        guard add(item, to: &plan, for: place.canonical) else { continue }
        if plans[record.key] == nil { order.append(record) }
        plans[record.key] = plan
      }
    }
    return order.compactMap { record in plans[record.key].map { (record, $0) } }
  }

  private static func candidates(for item: AskedItem) -> [PresenterRecord] {
    var records = PresenterRegistry.presenters(of: item.item)
    for package in item.packages where package != item.item {
      records += PresenterRegistry.presenters(of: package)
    }
    if AskScope(item).asksInside { records += PresenterRegistry.presenters(inside: item.item) }
    return records
  }

  /// Adds what `item` asks of a presenter at `path`; false if nothing.
  private static func add(
    _ item: AskedItem,
    to plan: inout AskSession.Plan,
    for path: FilePath
  ) -> Bool {
    let isItem = path == item.item
    let isPackage = item.packages.contains(path)
    let isInside = path.isInside(item.item)
    let isWhole = isItem || isPackage || (isInside && (item.isPackage || item.isPrepare))
    if let options = item.readingOptions {
      guard isWhole else { return false }
      if !options.contains(.withoutChanges) { plan.saves = true }
    }
    if let options = item.writingOptions {
      let destroys = !options.isDisjoint(with: [.forDeleting, .forReplacing])
      let shakes = item.isDirectory && (destroys || options.contains(.forMoving))
      guard isWhole || (isInside && shakes) else { return false }
      plan.relinquishesToWriter = true
      if options.contains(.forMerging), isWhole { plan.saves = true }
      if destroys {
        if isItem || isInside { plan.accommodatesDeletion = true }
        if isPackage, !isItem { plan.subitems.append(item.item) }
      }
    }
    return true
  }
}

/// Where the presenters sit that an access must ask.
struct AskScope {
  /// Presenters of exactly these items.
  let exact: [FilePath]
  /// Whether presenters of items inside are asked too.
  let asksInside: Bool

  init(_ item: AskedItem) {
    exact = item.packages.contains(item.item) ? item.packages : item.packages + [item.item]
    asksInside =
      item.isPackage || item.isPrepare
      || {
        guard item.isDirectory, let options = item.writingOptions else { return false }
        return !options.isDisjoint(with: [.forDeleting, .forReplacing, .forMoving])
      }()
  }
}
