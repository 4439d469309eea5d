import DocumentInteraction
import DocumentPicker
import FileCoordination
import Foundation
import LinuxSystem
import TerminalScreen

/// The list of a folder's items and what can be done with them; knows no screen.
@MainActor final class FolderBrowser {
  private let folder: FilePath
  let frontEnd = BrowserFrontEnd()
  private(set) var items: [FolderItem] = []
  private var selected = 0
  private var message = "Enter: look  o: open in  a: all that can be done  q: quit"
  private(set) var isDone = false
  /// Controllers are kept by whoever makes them.
  private var controllers: [FilePath: UIDocumentInteractionController] = [:]
  private let viewController = UIViewController()
  private var isListing = false
  private var hasChangedMeanwhile = false
  var needsDisplay: @MainActor () -> Void = {}

  init(_ folder: FilePath) { self.folder = folder }

  // MARK: the list

  /// Reads the folder anew; once more if it changes meanwhile.
  func reload() async {
    if isListing {
      hasChangedMeanwhile = true
      return
    }
    isListing = true
    repeat {
      hasChangedMeanwhile = false
      do {
        let folder = folder
        let new = try await OwnThread.run { try FolderItem.all(in: folder) }
        let current = items.indices.contains(selected) ? items[selected].path : nil
        items = new
        selected = new.firstIndex { $0.path == current } ?? min(selected, max(0, new.count - 1))
        let there = Set(new.map(\.path))
        controllers = controllers.filter { there.contains($0.key) }
      } catch {
        items = []
        message = "\(error)"
      }
      needsDisplay()
    } while hasChangedMeanwhile
    isListing = false
  }

  private var controller: UIDocumentInteractionController? {
    guard items.indices.contains(selected) else { return nil }
    let item = items[selected]
    if let known = controllers[item.path] { return known }
    let controller = UIDocumentInteractionController(url: item.path.urlOnDisk)
    controller.delegate = self
    controller.frontEnd = frontEnd
    controllers[item.path] = controller
    return controller
  }

  // MARK: keys

  func handle(_ key: TerminalScreen.Key, rows: Int) {
    switch frontEnd.showing {
    case .nothing: handleInList(key, rows)
    case .menu, .preview: handleOver(key, rows)
    }
  }

  private func handleInList(_ key: TerminalScreen.Key, _ rows: Int) {
    switch key {
    case .up: selected = max(0, selected - 1)
    case .down: selected = max(0, min(items.count - 1, selected + 1))
    case .pageUp: selected = max(0, selected - rows)
    case .pageDown: selected = max(0, min(items.count - 1, selected + rows))
    case .home: selected = 0
    case .end: selected = max(0, items.count - 1)
    case .enter, .character(" "), .character("p"):
      if controller?.presentPreview(animated: false) == false { say("there is nothing to see") }
    case .character("o"):
      if controller?.presentOpenInMenu(animated: false) == false { say("no program can open it") }
    case .character("a"):
      if controller?.presentOptionsMenu(animated: false) == false { say("nothing can be done") }
    case .character("q"), .control("c"), .control("q"): isDone = true
    default: break
    }
  }

  private func handleOver(_ key: TerminalScreen.Key, _ rows: Int) {
    switch key {
    case .up: frontEnd.move(by: -1)
    case .down: frontEnd.move(by: 1)
    case .pageUp: frontEnd.move(by: -rows)
    case .pageDown: frontEnd.move(by: rows)
    case .enter, .character(" "): frontEnd.take()
    case .escape, .character("q"), .control("c"): frontEnd.putAway()
    default: break
    }
  }

  private func say(_ text: String) {
    message = text
    needsDisplay()
  }

  // MARK: lines

  /// A line of the screen.
  struct Line: Hashable {
    var text: String
    var isReversed = false
  }

  /// What the screen shows; each line fits.
  func lines(columns: Int, rows: Int) -> [Line] {
    let room = max(1, rows - 2)
    var body: [Line]
    switch frontEnd.showing {
    case .nothing: body = list(columns, room)
    case .menu(let menu, let chosen, _):
      let top = max(0, chosen - room + 1)
      body = menu.entries.enumerated().dropFirst(top)
        .map { Line(text: " " + TerminalText.plain($1.title), isReversed: $0 == chosen) }
    case .preview(let preview, let top, _):
      let all = preview.lines(columns: columns, rows: rows - 2, hasColours: false)
      body = all.dropFirst(min(top, max(0, all.count - 1))).map { Line(text: $0) }
    }
    body = Array(body.prefix(room))
    body += Array(repeating: Line(text: ""), count: room - body.count)
    let title = TerminalText.plain("\(folder)")
    return ([Line(text: title, isReversed: true)] + body + [Line(text: message)])
      .map { Line(text: Self.cut($0.text, columns), isReversed: $0.isReversed) }
  }

  private func list(_ columns: Int, _ room: Int) -> [Line] {
    let top = max(0, selected - room + 1)
    return items.enumerated().dropFirst(top).map { index, item in
      let name = Self.cut("\(item.icon) \(TerminalText.plain(item.name))", max(1, columns - 14))
      let gap = max(1, columns - 1 - Self.width(name) - item.size.count)
      return Line(
        text: name + String(repeating: " ", count: gap) + item.size,
        isReversed: index == selected
      )
    }
  }

  private static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + max(0, TerminalScreen.width(of: $1)) }
  }

  private static func cut(_ text: String, _ columns: Int) -> String {
    var room = columns
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let width = TerminalScreen.width(of: scalar)
      if width < 0 { continue }
      room -= width
      if room < 0 { break }
      result.append(scalar)
    }
    return String(result)
  }
}

extension FolderBrowser: UIDocumentInteractionControllerDelegate {
  func documentInteractionControllerViewControllerForPreview(
    _ controller: UIDocumentInteractionController
  ) -> UIViewController { viewController }

  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    canPerformAction action: DocumentAction
  ) -> Bool { true }

  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    didEndSendingToApplication application: String?
  ) {
    if !message.hasPrefix("not done") { say("opened in \(application ?? "another program")") }
  }

  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    willBeginSendingToApplication application: String?
  ) { say("opening in \(application ?? "another program")…") }

  func documentInteractionControllerFileDidChange(_ controller: UIDocumentInteractionController) {
    say("\(controller.name ?? "the file") was changed by another program")
  }

  func documentInteractionControllerDidDismissOptionsMenu(
    _ controller: UIDocumentInteractionController
  ) { say("") }

  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    didFailWith error: any Error
  ) { say("not done: " + TerminalText.plain(error.localizedDescription)) }
}
