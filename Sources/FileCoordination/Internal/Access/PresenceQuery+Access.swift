import LinuxSystem
import PresenterLink

extension PresenceQuery {
  /// Whoever must be asked before these items are accessed.
  static func toAsk(about items: [AskedItem]) -> PresenceQuery {
    var query = PresenceQuery(exact: [], inside: [])
    for item in items {
      let scope = AskScope(item)
      query.exact += scope.exact
      if scope.asksInside { query.inside.append(item.item) }
    }
    return query
  }

  /// Whoever is asked before these items are accessed or told afterwards.
  static func toTell(about items: [AskedItem]) -> PresenceQuery {
    var query = toAsk(about: items)
    for item in items where item.isWriting { query.upwards.append(item.item) }
    return query
  }

  /// Whoever is told of a move: presenters of the item, of what is in it, of what holds it or held it.
  static func toTell(ofMove old: FilePath, to new: FilePath) -> PresenceQuery {
    PresenceQuery(inside: [old], upwards: [old, new])
  }
}
