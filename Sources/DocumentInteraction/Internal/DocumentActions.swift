import DesktopFiles
import DesktopPortal
import DesktopPrograms
package import FileCoordination
package import Foundation
import LinuxSystem

/// The actions, as they are carried out here; all block the calling thread.
package enum DocumentActions {
  /// Whether an action can be done with this file on this machine.
  static func canPerform(_ action: DocumentAction, _ url: URL, _ mimeType: String) -> Bool {
    switch action {
    case .copy: true
    case .print: !mimeType.hasPrefix("inode/") && ToolRun.find("lp") != nil
    case .saveToCameraRoll: mimeType.hasPrefix("image/") || mimeType.hasPrefix("video/")
    case .reveal: Confinement.isConfined ? Confinement.canOpen : SessionServices.hasFileManager
    case .moveToTrash: true
    default: false
    }
  }

  static func perform(_ action: DocumentAction, _ url: URL, _ mimeType: String) throws {
    switch action {
    case .copy: try copy(url)
    case .print: try print(url)
    case .saveToCameraRoll: try save(url, mimeType)
    case .reveal: try reveal(url)
    case .moveToTrash: _ = try moveToTrash(url)
    default: throw failure(url, "there is no action '\(action.rawValue)'")
    }
  }

  private static func failure(_ url: URL, _ message: String) -> DocumentInteractionError {
    DocumentInteractionError(.actionFailed, url, message)
  }

  private static func path(_ url: URL) throws -> FilePath {
    guard let path = FilePath(url) else { throw failure(url, "\(url) is not the URL of a file") }
    return path
  }

  // MARK: copy

  /// Puts the file on the clipboard: the desktop's, else its path on that of the terminal.
  static func copy(_ url: URL) throws {
    let path = try path(url)
    let text = path.fileURLText(isDirectory: false) + "\r\n"
    let tools = [
      ("WAYLAND_DISPLAY", "wl-copy", ["--type", "text/uri-list"]),
      ("DISPLAY", "xclip", ["-selection", "clipboard", "-target", "text/uri-list", "-in"]),
    ]
    for (variable, name, arguments) in tools {
      guard Environment.value(of: variable)?.count ?? 0 > 0, let tool = ToolRun.find(name) else {
        continue
      }
      let run = try ToolRun(tool, arguments, input: try MemoryFile.make(Array(text.utf8)))
      if run.status == 0 { return }
      throw failure(url, "\(name) could not copy: \(run.errors.firstLine)")
    }
    guard let terminal = try? Descriptor.open(FilePath("/dev/tty"), .writeOnly) else {
      throw failure(url, "there is no clipboard: neither wl-copy nor xclip, nor a terminal")
    }
    // The terminal's own way to its clipboard; one that does not know it shows nothing.
    let encoded = Data(path.bytes).base64EncodedString()
    try terminal.write(Array("\u{1b}]52;c;\(encoded)\u{7}".utf8))
  }

  // MARK: print

  /// Has CUPS print the file, on a printer or on the user's own; returns when it was queued.
  ///
  /// The file is read under coordination and handed over by its contents, with its name as the title.
  package static func print(
    _ url: URL,
    on printer: String? = nil,
    copies: Int = 1,
    _ coordinator: NSFileCoordinator = NSFileCoordinator(),
    timeout: Duration? = nil
  ) throws {
    guard let tool = ToolRun.find("lp") else {
      throw failure(url, "lp is not installed (Debian: cups-client)")
    }
    try coordinator.coordinate(readingItemAt: url, timeout: timeout) { url in
      let file = try Descriptor.open(try path(url), [.readOnly, .nonBlocking])
      guard try FileStatus(of: file).kind == .regular else {
        throw failure(url, "\(url.lastPathComponent): only files can be printed")
      }
      // The scheduler refuses titles with control characters.
      let title = String(TerminalText.plain(url.lastPathComponent).prefix(80))
      var words = ["-t", title]
      if copies != 1 { words += ["-n", "\(copies)"] }
      // In one word: a name that begins with a hyphen is no option.
      if let printer { words.append("-d\(printer)") }
      // By its contents: a name could be taken for an option.
      let run = try ToolRun(tool, words, input: file)
      if run.status != 0 {
        throw failure(
          url,
          "lp could not print: \(run.errors.firstLine) ('lpstat -r -p -d' shows what there is)"
        )
      }
    }
  }

  // MARK: save

  private static func save(_ url: URL, _ mimeType: String) throws {
    let folders = UserFolders(try DesktopDirectories.current())
    let folder = mimeType.hasPrefix("video/") ? folders.videos : folders.pictures
    try FileSystem.makeDirectories(folder)
    let name = url.lastPathComponent as NSString
    for attempt in 1...1000 {
      let end = name.pathExtension.isEmpty ? "" : ".\(name.pathExtension)"
      let number = attempt == 1 ? "" : " \(attempt)"
      let target = folder.appending(name.deletingPathExtension + number + end)
      let saved = try NSFileCoordinator().coordinate(
        readingItemAt: url,
        writingItemAt: target.urlOnDisk
      ) { source, target in
        do throws(SystemError) {
          guard let from = FilePath(source), let to = FilePath(target) else { return false }
          try FileSystem.duplicate(from, to: to)
          return true
        } catch  where error.code == .alreadyExists { return false }
      }
      if saved { return }
    }
    throw failure(url, "\(folder) has a thousand files of this name")
  }

  // MARK: reveal

  static func reveal(_ url: URL) throws {
    if Confinement.isConfined { return try revealThroughPortal(url) }
    do throws(DesktopError) {
      guard let path = FilePath(url) else { return }
      try SessionServices.reveal([path])
    } catch {
      let isNobody = error.code == .nobody
      throw failure(url, isNobody ? "no file manager is there to show it" : error.description)
    }
  }

  private static func revealThroughPortal(_ url: URL) throws {
    // The portal does not take a descriptor that is for the path only.
    let file = SharedDescriptor(try Descriptor.open(try path(url), [.readOnly, .nonBlocking]))
    do {
      _ = try PendingAnswer { try await Confinement.ask { try await $0.reveal(file) } }.get()
    } catch let error as PortalError {
      throw failure(url, "\(url.lastPathComponent) was not shown in its folder: \(error)")
    }
  }

  // MARK: trash

  /// Moves the file to the trash after the programs that show it have agreed, and says where it is then.
  ///
  /// A coordinated deletion: documents close, they do not follow the file into the trash.
  package static func moveToTrash(
    _ url: URL,
    _ coordinator: NSFileCoordinator = NSFileCoordinator(),
    timeout: Duration? = nil
  ) throws -> URL {
    let trash = Trash(try DesktopDirectories.current())
    let entry = try coordinator.coordinate(
      writingItemAt: url,
      options: .forDeleting,
      timeout: timeout
    ) { url in
      do throws(SystemError) {
        guard let path = FilePath(url) else { throw SystemError("renameat2", .noEntry) }
        return try trash.put(path)
      } catch {
        throw trashFailure(url, error)
      }
    }
    // Spares others the counting; without it the trash is as good.
    try? trash.recordSize(of: entry)
    return entry.item.urlOnDisk
  }

  private static func trashFailure(_ url: URL, _ error: SystemError) -> DocumentInteractionError {
    let reason =
      switch error.code {
      case .noSpace, .quotaExceeded:
        "the file system of the trash is full (\(error)); remove something else for good"
      case .readOnlyFileSystem: "its file system is read only"
      case .crossDevice:
        "it would have to be copied to another file system; remove it, or copy it and then remove it"
      case .permissionDenied, .notPermitted:
        "this user may not move it out of its folder, or has no trash on its file system (\(error))"
      case .busy: "something is mounted on it, or it is the ground one stands on"
      case .invalid: "the trash is within it"
      default: error.description
      }
    return DocumentInteractionError(
      .actionFailed,
      url,
      "\(url.lastPathComponent) was not moved to the trash, it is where it was: \(reason)",
      cause: error
    )
  }
}

extension String {
  /// For a message in one line.
  var firstLine: String {
    split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason was given"
  }
}
