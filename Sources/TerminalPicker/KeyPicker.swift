package import DocumentPicker
import Foundation
package import LinuxSystem
import TerminalScreen

/// A picker on the whole screen, driven by keys.
///
/// Used on one thread, which it blocks.
package struct KeyPicker {
  private enum Typing { case nothing, filter, name }
  private let poll: EventPoll
  private let isPutAway: @Sendable () -> Bool
  private var row = 0
  private var typing = Typing.nothing

  /// Waits for keys through `poll`, which whoever puts the picker away wakes.
  package init(_ poll: EventPoll, isPutAway: @escaping @Sendable () -> Bool) {
    self.poll = poll
    self.isPutAway = isPutAway
  }

  package mutating func select(_ request: SelectionRequest) throws -> Selection {
    var model = try PickerModel(request)
    guard let screen = TerminalScreen() else {
      throw DocumentPickerError.frontEndUnavailable("this is no terminal.")
    }
    while !isPutAway() {
      draw(model, screen)
      guard let keys = keys(screen) else { return .cancelled }
      for key in keys {
        if let selection = take(key, &model) { return selection }
      }
    }
    return .cancelled
  }

  package mutating func chooseFromMenu(title: String, entries: [MenuEntry]) throws -> String? {
    guard let screen = TerminalScreen() else {
      throw DocumentPickerError.frontEndUnavailable("this is no terminal.")
    }
    while !isPutAway() {
      line(0, " \(title)", screen, isReversed: true)
      for index in 0..<max(screen.rows - 1, 0) {
        let text = index < entries.count ? " \(entries[index].title)" : ""
        line(index + 1, text, screen, isReversed: index == row && index < entries.count)
      }
      screen.show(row: min(row + 1, max(screen.rows - 1, 0)), column: 0)
      guard let keys = keys(screen) else { return nil }
      for key in keys {
        switch key {
        case .up: row = max(row - 1, 0)
        case .down: row = min(row + 1, max(entries.count - 1, 0))
        case .enter: return entries.indices.contains(row) ? entries[row].id : nil
        case .escape, .character("q"), .control("c"): return nil
        default: break
        }
      }
    }
    return nil
  }

  /// What was pressed; nil: the terminal is gone.
  private func keys(_ screen: borrowing TerminalScreen) -> [TerminalScreen.Key]? {
    let mayHaveKey = poll.wait(until: nil).contains(0)
    var keys: [TerminalScreen.Key] = []
    while let key = screen.nextKey() { keys.append(key) }
    return mayHaveKey && keys.isEmpty ? nil : keys
  }

  private mutating func take(_ key: TerminalScreen.Key, _ model: inout PickerModel) -> Selection? {
    if typing != .nothing {
      type(key, &model)
      return nil
    }
    let shown = model.shown
    let current = shown.indices.contains(row) ? shown[row] : nil
    model.message = ""
    switch key {
    case .up: row = max(row - 1, 0)
    case .down: row = min(row + 1, max(shown.count - 1, 0))
    case .pageUp: row = max(row - 10, 0)
    case .pageDown: row = min(row + 10, max(shown.count - 1, 0))
    case .home: row = 0
    case .end: row = max(shown.count - 1, 0)
    case .enter, .right:
      if let current, current.isFolder {
        model.open(current.url)
        row = 0
      } else if key == .enter, let current, model.picksItems {
        return model.selection(of: model.marked.isEmpty ? [current.url] : model.marked)
      } else if key == .enter, !model.picksItems {
        return model.confirm()
      }
    case .backspace, .left:
      model.goUp()
      row = 0
    case .tab:
      change(&model)
    case .escape, .control("c"), .character("q"): return .cancelled
    case .character(" "): if let current { model.toggle(current) }
    case .character("/"): typing = .filter
    case .character("~"):
      model.goHome()
      row = 0
    case .character("."): return model.folderSelection
    case .character("s") where !model.picksItems: return model.confirm()
    case .character("n") where model.name != nil && !model.picksItems: typing = .name
    default: break
    }
    return nil
  }

  private mutating func type(_ key: TerminalScreen.Key, _ model: inout PickerModel) {
    var text = typing == .filter ? model.filter : model.name ?? ""
    switch key {
    case .character(let character): text.append(character)
    case .backspace: if !text.isEmpty { text.removeLast() }
    case .enter: return typing = .nothing
    case .escape, .control("c"):
      if typing == .filter { model.filter = "" }
      return typing = .nothing
    default: return
    }
    if typing == .filter {
      model.filter = text
      row = 0
    } else {
      model.name = text
    }
  }

  /// Goes to the next provider.
  private mutating func change(_ model: inout PickerModel) {
    let all = model.request.providers
    guard let index = all.firstIndex(of: model.provider), all.count > 1 else { return }
    row = 0
    do { try model.enter(all[(index + 1) % all.count]) } catch {
      model.message = error.localizedDescription
    }
  }

  private func draw(_ model: PickerModel, _ screen: borrowing TerminalScreen) {
    let shown = model.shown
    line(0, " \(model.title) — \(model.folder?.path ?? "")", screen, isReversed: true)
    let rows = max(screen.rows - 3, 1)
    let first = max(0, min(row - rows / 2, shown.count - rows))
    for index in 0..<rows {
      let at = first + index
      var text = ""
      if at < shown.count {
        text = (model.isMarked(shown[at]) ? " * " : "   ") + model.label(shown[at])
      }
      line(index + 1, text, screen, isReversed: at == row && at < shown.count)
    }
    let note: String
    switch typing {
    case .filter: note = " filter: \(model.filter)"
    case .name: note = " name: \(model.name ?? "")"
    case .nothing:
      let name = model.picksItems ? nil : model.name.map { " \(model.confirmTitle): \($0)" }
      note = model.message.isEmpty ? name ?? "" : " \(model.message)"
    }
    line(screen.rows - 2, note, screen)
    let help =
      model.picksItems
      ? " Enter takes, Space ticks, / filters, ~ home, Backspace up, Tab provider, q cancels"
      : " s \(model.confirmTitle), n name, Enter goes in, Backspace up, Tab provider, q cancels"
    line(screen.rows - 1, help, screen, isReversed: true)
    screen.show(row: min(row - first + 1, screen.rows - 1), column: 0)
  }

  private func line(
    _ number: Int,
    _ text: String,
    _ screen: borrowing TerminalScreen,
    isReversed: Bool = false
  ) {
    guard number >= 0, number < screen.rows else { return }
    // The last column stays empty: some terminals go to the next line there.
    var room = max(screen.columns - 1, 0)
    var shown = ""
    for scalar in text.unicodeScalars {
      let width = TerminalScreen.width(of: scalar)
      guard width >= 0 else { continue }
      guard width <= room else { break }
      shown.unicodeScalars.append(scalar)
      room -= width
    }
    screen.setRow(
      number,
      shown + String(repeating: " ", count: isReversed ? room : 0),
      isReversed: isReversed
    )
  }
}
