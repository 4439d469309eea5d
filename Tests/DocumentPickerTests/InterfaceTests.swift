import DocumentPicker
import DocumentTypes
import Foundation
import Testing

/// What can be said without showing anything.
@MainActor struct InterfaceTests {
  let url = URL(filePath: "/tmp/f")

  @Test func `statement P1: the numbers of modes and orders are Apple's`() {
    #expect(UIDocumentPickerMode.allCases.map(\.rawValue) == [0, 1, 2, 3])
    #expect(UIDocumentPickerMode(rawValue: 0) == .import)
    #expect(UIDocumentPickerMode(rawValue: 3) == .moveToService)
    #expect(UIDocumentMenuOrder.first.rawValue == 0 && UIDocumentMenuOrder.last.rawValue == 1)
  }

  @Test func `statement P2: document types are not for export`() async {
    await #expect(processExitsWith: .failure) {
      _ = UIDocumentPickerViewController(documentTypes: ["public.text"], in: .exportToService)
    }
  }

  @Test func `statement P3: files are not for import`() async {
    await #expect(processExitsWith: .failure) {
      _ = UIDocumentPickerViewController(url: URL(filePath: "/tmp/f"), in: .import)
    }
    await #expect(processExitsWith: .failure) {
      _ = UIDocumentPickerViewController(urls: [URL(filePath: "/tmp/f")], in: .open)
    }
  }

  @Test func `statement P4: types open, or import as a copy`() {
    #expect(
      UIDocumentPickerViewController(forOpeningContentTypes: [.text]).documentPickerMode == .open
    )
    let copy = UIDocumentPickerViewController(forOpeningContentTypes: [.text], asCopy: true)
    #expect(copy.documentPickerMode == .import)
  }

  @Test func `statement P5: files move, or are exported as copies`() {
    #expect(
      UIDocumentPickerViewController(forExporting: [url]).documentPickerMode == .moveToService
    )
    let copy = UIDocumentPickerViewController(forExporting: [url], asCopy: true)
    #expect(copy.documentPickerMode == .exportToService)
  }

  @Test func `statement P6: a new picker picks one, hides extensions and has no folder`() {
    let picker = UIDocumentPickerViewController(documentTypes: ["public.text"], in: .open)
    #expect(!picker.allowsMultipleSelection && !picker.shouldShowFileExtensions)
    #expect(picker.directoryURL == nil)
  }

  @Test func `statement P39: identifiers are paths in the folder, and lead back`() {
    let provider = NSFileProviderExtension(
      providerIdentifier: "org.example.unit",
      documentGroup: "org.example.unit"
    )
    let storage = provider.documentStorageURL
    let item = storage.appending(path: "a/b.txt")
    #expect(provider.persistentIdentifierForItem(at: item) == "a/b.txt")
    #expect(provider.urlForItem(withPersistentIdentifier: "a/b.txt")?.path == item.path)
    #expect(provider.persistentIdentifierForItem(at: URL(filePath: "/tmp/x")) == nil)
    #expect(provider.persistentIdentifierForItem(at: storage) == nil)
    for bad in ["../x", "a/../../x", "/x", "", "a//b", ".", "a/\0"] {
      #expect(provider.urlForItem(withPersistentIdentifier: bad) == nil, "\(bad)")
    }
  }

  @Test func `a placeholder's place is one of its own, and its own place`() {
    let item = URL(filePath: "/tmp/d/a.txt")
    let placeholder = NSFileProviderExtension.placeholderURL(for: item)
    #expect(placeholder.path == "/tmp/d/.a.txt.placeholder")
    #expect(NSFileProviderExtension.placeholderURL(for: placeholder) == placeholder)
    #expect(throws: CocoaError.self) {
      try NSFileProviderExtension.writePlaceholder(at: item, withMetadata: [:])
    }
  }
}
