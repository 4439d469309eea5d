import FileCoordination
import Foundation
import LinuxSystem
import TerminalScreen

/// The sample: a folder in a terminal, each file of which can be looked at and opened.
@MainActor package enum DocInteractionProgram {
  private enum Event: Sendable { case keys, changed, display, end }

  /// Runs until its user has done.
  ///
  /// - Returns: the program's exit status: 0, or 1 where it cannot run, 64 for wrong use.
  package static func run(_ arguments: [String]) async -> Int32 {
    guard arguments.count == 1, let name = arguments.first, !name.hasPrefix("-") else {
      StandardError.write(
        """
        usage: docinteraction FOLDER
        Lists a folder, which may change meanwhile. Enter shows what can be shown of a file, o opens
        it in another program, a offers all that can be done with it, q quits.

        """
      )
      return 64
    }
    do {
      let folder = try FileSystem.realPath(FilePath(name))
      guard try FileStatus(of: folder).kind == .directory else {
        StandardError.write("docinteraction: \(name): is not a folder\n")
        return 1
      }
      return try await run(folder)
    } catch {
      StandardError.write("docinteraction: \(error)\n")
      return 1
    }
  }

  private static func run(_ folder: FilePath) async throws -> Int32 {
    let (events, send) = AsyncStream<Event>.makeStream()
    let signals = try SignalSource([.terminate, .hangUp])
    try BlockingThread.start("signals") {
      // A read that fails would fail for ever.
      if (try? signals.next()) != nil { send.yield(.end) }
    }
    let keys = try EventPoll()
    guard let screen = TerminalScreen() else {
      StandardError.write("docinteraction: standard input and output have to be a terminal\n")
      return 1
    }
    try keys.add(0)
    try BlockingThread.start("keys") {
      while true {
        guard keys.wait(until: nil).contains(0) else { continue }
        // Until the keys were read it would be readable all the time.
        keys.remove(0)
        send.yield(.keys)
      }
    }
    let browser = FolderBrowser(folder)
    browser.needsDisplay = { send.yield(.display) }
    browser.frontEnd.needsDisplay = { send.yield(.display) }
    let presenter = FolderPresenter(folder.url(isDirectory: true)) { send.yield(.changed) }
    NSFileCoordinator.addFilePresenter(presenter)
    defer { NSFileCoordinator.removeFilePresenter(presenter) }
    await browser.reload()
    draw(browser, screen)
    for await event in events {
      switch event {
      case .end: return 0
      case .display: break
      case .changed: await browser.reload()
      case .keys:
        var hadKey = false
        while let key = screen.nextKey() {
          hadKey = true
          browser.handle(key, rows: max(1, screen.rows - 2))
        }
        // Readable without anything to read: the terminal is gone.
        if !hadKey || browser.isDone { return 0 }
        try keys.add(0)
      }
      draw(browser, screen)
    }
    return 0
  }

  private static func draw(_ browser: FolderBrowser, _ screen: borrowing TerminalScreen) {
    let lines = browser.lines(columns: screen.columns, rows: screen.rows)
    for (row, line) in lines.enumerated() where row < screen.rows {
      screen.setRow(row, line.text, isReversed: line.isReversed)
    }
    screen.show(row: screen.rows - 1, column: 0)
  }
}
