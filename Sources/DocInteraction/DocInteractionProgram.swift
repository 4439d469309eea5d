import DocumentInteraction
import FileCoordination
import Foundation
import LinuxSystem
import TerminalScreen

/// The sample: a folder in a terminal, or in a window, each file of which can be looked at and opened.
@MainActor package enum DocInteractionProgram {
  private enum Event: Sendable { case keys, display, end }

  /// Runs until its user has done; as a window in another program, which then takes this process over.
  ///
  /// - Returns: the program's exit status: 0, or 1 where it cannot run, 64 for wrong use.
  package static func run(_ arguments: [String]) async -> Int32 {
    let options = arguments.filter { $0.hasPrefix("-") }
    let names = arguments.filter { !$0.hasPrefix("-") }
    guard names.count == 1, let name = names.first, options.count <= 1,
      options.allSatisfy({ ["--terminal", "--window"].contains($0) })
    else {
      StandardError.write(
        """
        usage: docinteraction [--terminal | --window] FOLDER
        Lists a folder, which may change meanwhile. Enter shows what can be shown of a file, o opens
        it in another program, a offers all that can be done with it, q quits.
        Where there is a display and docinteraction-window is installed (beside this program, in
        ../libexec/file-coordination or in PATH), in a window, unless --terminal is given.

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
      if options != ["--terminal"] { try becomeWindow(folder, isWanted: options == ["--window"]) }
      return try await run(folder)
    } catch {
      let message = (error as? DocumentInteractionError)?.message ?? "\(error)"
      StandardError.write("docinteraction: \(message)\n")
      return 1
    }
  }

  /// Returns only where a window cannot be shown and need not be.
  private static func becomeWindow(_ folder: FilePath, isWanted: Bool) throws {
    let program =
      CompanionProgram.hasDisplay ? CompanionProgram.find("docinteraction-window") : nil
    if let program {
      // As a URL: a path need not be UTF-8.
      try ReplacedProcess.run(program, [folder.fileURLText(isDirectory: true)])
    }
    guard isWanted else { return }
    let reason =
      CompanionProgram.hasDisplay
      ? "docinteraction-window is not installed (see Sources/Desktop)"
      : "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set"
    throw DocumentInteractionError(.notPreviewed, folder.url(isDirectory: true), reason)
  }

  private static func run(_ folder: FilePath) async throws -> Int32 {
    let (events, send) = AsyncStream<Event>.makeStream()
    let signals = try SignalSource([.terminate, .hangUp])
    try BlockingThread.start("signals") {
      // A read that fails would fail for ever.
      if (try? signals.next()) != nil { send.yield(.end) }
    }
    let keys = try EventPoll()
    let browser = try FolderBrowser(folder.url(isDirectory: true))
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
    browser.needsDisplay = { send.yield(.display) }
    browser.frontEnd.needsDisplay = { send.yield(.display) }
    await browser.follow()
    draw(browser, screen)
    for await event in events {
      switch event {
      case .end: return 0
      case .display: break
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
