import Documents
import Foundation
import LinuxSystem

/// One save, of which a test can kill every system call.
enum SavingOnce {
  static func run(_ kind: String, _ file: String, _ text: String) -> Never {
    let url = URL(fileURLWithPath: file)
    if kind == "document" || kind == "package-document" {
      document(url, text, isPackage: kind == "package-document")
    }
    do {
      let save = SafeSave(url)
      Marker.begin()
      if kind == "package" {
        try save.write { new, old in
          let part = FileWrapper(regularFileWithContents: Data(text.utf8))
          let note = FileWrapper(regularFileWithContents: Data("always".utf8))
          let wrapper = FileWrapper(directoryWithFileWrappers: ["text": part, "note": note])
          try wrapper.write(to: new, originalContentsURL: old)
        }
      } else {
        try save.write(Data(text.utf8))
      }
      Marker.end()
      Environment.exit(0)
    } catch {
      say("failed: \(error)")
      Environment.exit(1)
    }
  }

  private static func document(_ url: URL, _ text: String, isPackage: Bool) -> Never {
    let document = PeerDocument(fileURL: url)
    document.isPackage = isPackage
    document.open { success in
      guard success else { Environment.exit(2) }
      SaveTracer.attach()
      document.text = text
      document.updateChangeCount(.done)
      Marker.begin()
      document.save(to: url, for: .forOverwriting) { success in
        Marker.end()
        guard success else { Environment.exit(3) }
        document.close { Environment.exit($0 ? 0 : 4) }
      }
    }
    dispatchMain()
  }
}
