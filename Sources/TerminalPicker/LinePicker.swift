package import DocumentPicker
import Foundation
import LinuxSystem

/// A picker that writes lines to standard error and reads lines from standard input.
///
/// For pipes, and for terminals that can do no more. Standard output is left to the program.
package struct LinePicker {
  package init() {}

  private func say(_ line: String) { StandardError.write(line + "\n") }

  package func select(_ request: SelectionRequest) throws -> Selection {
    var model = try PickerModel(request)
    while true {
      show(model)
      model.message = ""
      guard let line = readLine() else { return .cancelled }
      if let selection = take(line.trimmingCharacters(in: .whitespaces), &model) {
        return selection
      }
    }
  }

  package func chooseFromMenu(title: String, entries: [MenuEntry]) -> String? {
    while true {
      say(title)
      for (index, entry) in entries.enumerated() { say("  \(index + 1)  \(entry.title)") }
      say("a number, or q:")
      guard let line = readLine(), line != "q" else { return nil }
      if let number = Int(line), entries.indices.contains(number - 1) {
        return entries[number - 1].id
      }
    }
  }

  private func show(_ model: PickerModel) {
    say(model.title)
    if let folder = model.folder { say("in \(folder.path)") }
    for (index, item) in model.shown.enumerated() { say("  \(index + 1)  \(model.label(item))") }
    if !model.message.isEmpty { say(model.message) }
    if model.picksItems {
      let several = model.request.allowsMultipleSelection ? "numbers" : "a number"
      let folder = model.acceptsFolder ? ", . (this folder)" : ""
      say("\(several)\(folder), .., ~, /text, @provider, q:")
    } else if model.canConfirm {
      let name = model.name.map { " as \($0)" } ?? ""
      say("empty line: \(model.confirmTitle)\(name); =name, a number, .., ~, @provider, q:")
    } else {
      say("@provider, q:")
    }
  }

  private func take(_ line: String, _ model: inout PickerModel) -> Selection? {
    switch line {
    case "q": return .cancelled
    case "" where !model.picksItems: return model.confirm()
    case "": return nil
    case "..": model.goUp()
    case "~": model.goHome()
    case ".": return model.picksItems ? model.folderSelection : model.confirm()
    case "@":
      for provider in model.request.providers { say("  @\(provider.id)  \(provider.displayName)") }
    default:
      if line.hasPrefix("/") {
        model.filter = String(line.dropFirst())
      } else if line.hasPrefix("@") {
        change(to: String(line.dropFirst()), &model)
      } else if line.hasPrefix("="), model.name != nil {
        model.name = String(line.dropFirst())
      } else {
        return choose(line, &model)
      }
    }
    return nil
  }

  private func change(to name: String, _ model: inout PickerModel) {
    let found = model.request.providers.first {
      $0.id.rawValue == name || $0.displayName.caseInsensitiveCompare(name) == .orderedSame
    }
    guard let found else {
      model.message = "no provider “\(name)”; @ shows them"
      return
    }
    do { try model.enter(found) } catch { model.message = error.localizedDescription }
  }

  private func choose(_ line: String, _ model: inout PickerModel) -> Selection? {
    let shown = model.shown
    let words = line.split(separator: " ")
    let numbers = words.compactMap { Int($0) }.filter { shown.indices.contains($0 - 1) }
    guard numbers.count == words.count else {
      model.message = "“\(line)” is none of the numbers"
      return nil
    }
    let items = numbers.map { shown[$0 - 1] }
    if items.count == 1, items[0].isFolder {
      model.open(items[0].url)
      return nil
    }
    guard !items.contains(where: \.isFolder),
      items.count == 1 || model.request.allowsMultipleSelection
    else {
      model.message = "only one, and no folder among several"
      return nil
    }
    return model.selection(of: items.map(\.url))
  }
}
