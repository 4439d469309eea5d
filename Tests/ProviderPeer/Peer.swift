import DocumentPicker
import FileCoordination
import Foundation
import LinuxSystem

struct Control: Sendable {
  let directory: FilePath

  func log(_ line: String) {
    do {
      let file = try Descriptor.open(
        directory.appending("log"),
        [.writeOnly, .create, .append],
        mode: 0o644
      )
      try file.write(Array((line + "\n").utf8))
    } catch { StandardError.write("\(error)\n") }
  }

  func text(_ name: String) -> String? {
    guard let file = try? Descriptor.open(directory.appending(name), .readOnly),
      let bytes = try? file.readToEnd()
    else { return nil }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func contents(_ name: String) throws -> Data {
    try Data(contentsOf: directory.appending("contents").appending(name).url())
  }

  /// Waits until the test opens the gate.
  func waitAtGate() {
    _ = try? Descriptor.open(directory.appending("gate"), .readOnly).number
  }

  func die() -> Never {
    while true { kill(getpid(), SIGKILL) }
  }
}

final class PeerProvider: NSFileProviderExtension {
  let control: Control
  init(_ control: Control) {
    self.control = control
    super.init()
  }

  override func providePlaceholder(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    control.log("placeholder \(url.lastPathComponent)")
    do {
      _ = try control.contents(url.lastPathComponent)
      try Self.writePlaceholder(
        at: Self.placeholderURL(for: url),
        withMetadata: [.nameKey: url.lastPathComponent]
      )
      completionHandler(nil)
    } catch {
      completionHandler(error)
    }
  }

  override func startProvidingItem(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    control.log("start \(url.lastPathComponent)")
    do {
      switch control.text("start") ?? "ok" {
      case "error":
        completionHandler(
          NSError(
            domain: "PeerError",
            code: 42,
            userInfo: [NSLocalizedDescriptionKey: "no network"]
          )
        )
      case "half-error":
        try Data("half".utf8).write(to: url)
        completionHandler(CocoaError(.fileReadCorruptFile))
      case "half-die":
        try Data("half".utf8).write(to: url)
        control.die()
      case "die": control.die()
      case "nothing": completionHandler(nil)
      case "wait":
        try Data("half".utf8).write(to: url)
        control.log("waiting")
        control.waitAtGate()
        try control.contents(url.lastPathComponent).write(to: url)
        completionHandler(nil)
      default:
        try control.contents(url.lastPathComponent).write(to: url)
        completionHandler(nil)
      }
    } catch {
      completionHandler(error)
    }
  }

  override func itemChanged(at url: URL) {
    if control.text("upload") == "slow" { control.waitAtGate() }
    if control.text("upload") != nil { upload(url) }
    // Gone is a change as well.
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? "(gone)"
    control.log("changed \(url.lastPathComponent) \(text)")
  }

  /// What is delivered from now on is what was written: the control directory is the other computer.
  private func upload(_ url: URL) {
    do {
      try Data(contentsOf: url).write(
        to: control.directory.appending("contents").appending(url.lastPathComponent).url()
      )
    } catch { control.log("not uploaded: \(error)") }
  }

  override func stopProvidingItem(at url: URL) {
    control.log("stop \(url.lastPathComponent)")
    do { try FileManager.default.removeItem(at: url) } catch { control.log("\(error)") }
  }
}

final class PeerPicker: UIDocumentPickerExtensionViewController {
  let control: Control
  init(_ control: Control) {
    self.control = control
    super.init()
  }

  override func prepareForPresentation(in mode: UIDocumentPickerMode) {
    control.log(
      "prepare \(mode) \(documentPickerMode == mode) "
        + "original=\(originalURL?.lastPathComponent ?? "nil") "
        + "types=\(validTypes?.joined(separator: ",") ?? "nil")"
    )
    if control.text("start") == "die-in-prepare" { control.die() }
    if !mode.picksItems { confirmTitle = "Take it" }
  }

  override func didSelectItem(at url: URL) {
    if let other = control.text("select") {
      dismissGrantingAccess(to: URL(filePath: other))
    } else {
      dismissGrantingAccess(to: url)
    }
  }

  override func didConfirm() {
    control.log("confirm")
    guard let originalURL, let documentStorageURL else { return dismissGrantingAccess(to: nil) }
    let target = documentStorageURL.appending(path: originalURL.lastPathComponent)
    let way = control.text("confirm") ?? "ok"
    let coordinator = NSFileCoordinator()
    if way != "anonymous" { coordinator.purposeIdentifier = providerIdentifier }
    do {
      switch way {
      case "cancel": return dismissGrantingAccess(to: nil)
      case "missing": return dismissGrantingAccess(to: target)
      case "outside":
        let outside = control.directory.appending("outside.txt").url()
        try Data(contentsOf: originalURL).write(to: outside)
        return dismissGrantingAccess(to: outside)
      case "other":
        try Data("other".utf8).write(to: target)
        return dismissGrantingAccess(to: target)
      case "half-die":
        try Data("ha".utf8).write(to: target)
        control.die()
      case "wait":
        try Data("ha".utf8).write(to: target)
        control.log("waiting")
        control.waitAtGate()
        try Data(contentsOf: originalURL).write(to: target)
        dismissGrantingAccess(to: target)
      default:
        try coordinator.coordinate(
          readingItemAt: originalURL,
          options: .withoutChanges,
          writingItemAt: target,
          options: .forReplacing
        ) { source, target in
          try Data(contentsOf: source).write(to: target)
        }
        dismissGrantingAccess(to: target)
      }
    } catch {
      control.log("\(error)")
      dismissGrantingAccess(to: nil)
    }
  }
}
