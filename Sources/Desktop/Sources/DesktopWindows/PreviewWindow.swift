import DocumentInteraction
import FileCoordination
package import Foundation
package import Gtk

/// A window that shows files, one at a time, and follows what happens to them.
///
/// Escape, space and q close it; the arrows left and right go to the other files. Everything is read on
/// other threads, under coordination, and pictures are decoded by `preview-decoder`.
@MainActor package final class PreviewWindow {
  /// More dots than that are not asked for: the screen has no room for them.
  private static let most = 1600

  private let window = Window(width: 480, height: 400)
  private let banner = Label("", side: .middle)
  private let stage = Box(.along)
  private var urls: [URL]
  private var index = 0
  private var presence: FilePresence?
  /// Where the file was when it was followed.
  private var followed: URL?
  private var reading: Task<Void, Never>?
  private var hasChangedMeanwhile = false
  private var shown: DocumentPreview?
  private var hasShownContents = false
  private var isOpen = false
  private var isPresented = false
  private var closed: @MainActor () -> Void = {}

  /// - Parameters:
  ///   - urls: the files; at least one.
  ///   - parent: the window that it stays above.
  package init(_ urls: [URL], above parent: Window? = nil) {
    self.urls = urls
    stage.setExpanding(across: true, along: true)
    banner.addClass("banner")
    banner.isShown = false
    window.content = Box(.along, [banner, stage])
    if let parent { window.stay(above: parent) }
    window.onKey { [weak self] in self?.handle($0) ?? false }
    window.onClose { [weak self] in self?.didClose() }
    title()
    let waiting = Label("Reading…", side: .middle)
    waiting.setExpanding(across: true, along: true)
    stage.append(waiting)
  }

  /// Shows it; `closed` is called once, when it is gone.
  package func open(closed: @escaping @MainActor () -> Void) {
    isOpen = true
    self.closed = closed
    turn(to: 0)
    // With its contents, so that it has their size; soon, whatever they take.
    Task {
      try? await Task.sleep(for: .milliseconds(300))
      present()
    }
  }

  private func present() {
    guard isOpen, !isPresented else { return }
    isPresented = true
    window.present()
  }

  /// Closes it as its user would.
  package func close() { if isOpen { window.close() } }

  private var url: URL { urls[index] }
  private var name: String { TerminalText.plain(url.lastPathComponent) }

  private func title() { window.title = name }

  private func handle(_ key: Key) -> Bool {
    switch key {
    case .escape, .character(" "), .character("q"): close()
    case .left where urls.count > 1: turn(to: (index + urls.count - 1) % urls.count)
    case .right where urls.count > 1: turn(to: (index + 1) % urls.count)
    default: return false
    }
    return true
  }

  private func didClose() {
    guard isOpen else { return }
    isOpen = false
    follow(nil)
    reading?.cancel()
    ShownLog.note("closed \(name)")
    closed()
  }

  // MARK: which file

  private func turn(to new: Int) {
    index = new
    reading?.cancel()
    reading = nil
    if shown?.url != url { shown = nil }
    if urls.count > 1 { hasShownContents = false }
    title()
    follow(url)
    read()
  }

  private func follow(_ url: URL?) {
    if let presence { NSFileCoordinator.removeFilePresenter(presence) }
    presence = nil
    followed = url
    guard let url else { return }
    let new = FilePresence(url) { [weak self] in self?.happened($0, to: url) }
    NSFileCoordinator.addFilePresenter(new)
    presence = new
  }

  private func happened(_ event: FilePresence.Event, to first: URL) {
    // Of a file that was shown before, it comes too late.
    guard isOpen, followed == first else { return }
    switch event {
    case .changed, .deleted: read()
    case .moved(let new):
      urls[index] = new
      title()
      ShownLog.note("moved \(name)")
      read()
    }
  }

  // MARK: what is in it

  /// Reads the file anew; once more if it changes meanwhile.
  private func read() {
    guard reading == nil else {
      hasChangedMeanwhile = true
      return
    }
    reading = Task { [weak self, url] in
      let result: Result<DocumentPreview, any Error>
      do {
        result = .success(
          try await DocumentPreview.load(url, width: Self.most, height: Self.most)
        )
      } catch { result = .failure(error) }
      // Cancelled: another file is being read, or the window is closed.
      if !Task.isCancelled { self?.didRead(result, url) }
    }
  }

  private func didRead(_ result: Result<DocumentPreview, any Error>, _ read: URL) {
    reading = nil
    switch result {
    case .success(let preview): show(preview)
    case .failure(let error):
      let isThere = (try? read.checkResourceIsReachable()) == true
      if !isThere, !hasShownContents {
        fail("It cannot be shown: there is no such file.")
      } else if isThere {
        fail(
          "It cannot be shown: \((error as? any LocalizedError)?.errorDescription ?? "\(error)")"
        )
      } else if read == url {
        showDeleted()
      }
    }
    if hasChangedMeanwhile || read != url {
      hasChangedMeanwhile = false
      self.read()
    }
  }

  private func show(_ preview: DocumentPreview) {
    banner.isShown = false
    stage.setFaded(false)
    // What has not changed stays where its user has moved it.
    if let shown, PreviewBody.looksSame(shown, preview) { return }
    shown = preview
    stage.replace(with: [PreviewBody.make(of: preview)])
    if !hasShownContents {
      let size = PreviewBody.size(for: preview)
      window.setSize(width: size.width, height: size.height)
    }
    hasShownContents = true
    present()
    switch preview.content {
    case .picture(let picture):
      let size = picture.original.map { "\($0.width)x\($0.height)" } ?? "page"
      ShownLog.note("picture \(size) \(name)")
    case .text(let text, let encoding, let isWhole):
      let first = text.split(whereSeparator: \.isNewline).first ?? ""
      ShownLog.note(
        "text \(encoding) \(isWhole ? "whole" : "beginning") \(name): \(first.prefix(80))"
      )
    case .none:
      ShownLog.note("facts \(preview.mimeType) \(name): \(preview.failure ?? "-")")
    }
  }

  private func fail(_ message: String) {
    shown = nil
    stage.replace(with: [PreviewBody.failure(name, message)])
    present()
    ShownLog.note("failure \(name): \(message)")
  }

  /// What was in it stays to be seen.
  private func showDeleted() {
    banner.text = "It was deleted. This is what was in it."
    banner.isShown = true
    stage.setFaded(true)
    ShownLog.note("deleted \(name)")
  }
}
