import DocumentPicker
import Foundation

final class MountedProvider: NSFileProviderExtension {
  private let control: Control
  private let turn = NSLock()

  init(_ control: Control) {
    self.control = control
    super.init()
  }

  private func log(_ line: String) { turn.withLock { control.log(line) } }

  private func name(_ url: URL) -> String { persistentIdentifierForItem(at: url) ?? "?" }

  override func startProvidingItem(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let name = name(url)
    log("start \(name)")
    do {
      switch control.way(name) {
      case "space": return completionHandler(CocoaError(.fileWriteOutOfSpace))
      case "error": return completionHandler(NSError(domain: "Ours", code: 1))
      case "half-error":
        try Data("half".utf8).write(to: url)
        return completionHandler(CocoaError(.fileReadCorruptFile))
      case "wait":
        try Data("half".utf8).write(to: url)
        log("waiting \(name)")
        _ = FileHandle(forReadingAtPath: control.directory.appending(path: "gate").path)
      default: break
      }
      try? FileManager.default.removeItem(at: url)
      try FileManager.default.copyItem(at: control.content(name), to: url)
      completionHandler(nil)
    } catch {
      completionHandler(error)
    }
  }

  override func itemChanged(at url: URL) {
    let name = name(url)
    do {
      let data = try Data(contentsOf: url)
      try data.write(to: control.content(name))
      log("changed \(name) \(data.count)")
    } catch {
      log("changed \(name) gone")
    }
  }

  override func stopProvidingItem(at url: URL) {
    log("stop \(name(url))")
    try? FileManager.default.removeItem(at: url)
  }
}
