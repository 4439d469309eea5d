// The provider of the tutorial, as it is written there, minus outlets and labels: what is not needed
// here stands in stand-ins below.

import DocumentPicker
import FileCoordination
import Foundation

// MARK: stand-ins for what the tutorial's storyboard and app have

struct UIControlState {}

@MainActor final class Control {
  var isHidden = true
  private(set) var title: String?
  func setTitle(_ title: String, for state: UIControlState) { self.title = title }
}

enum Note {
  static let fileExtension = "txt"
  static func fileUrlForDocumentNamed(_ name: String) -> URL? {
    NSFileProviderExtension().documentStorageURL.appendingPathComponent(name)
      .appendingPathExtension(fileExtension)
  }
}

// MARK: the tutorial's code

class DocumentPickerViewController: UIDocumentPickerExtensionViewController {
  let confirmButton = Control()
  let confirmView = Control()
  let extensionWarningLabel = Control()

  lazy var fileCoordinator: NSFileCoordinator = {
    let fileCoordinator = NSFileCoordinator()
    fileCoordinator.purposeIdentifier = self.providerIdentifier
    return fileCoordinator
  }()

  override func prepareForPresentation(in mode: UIDocumentPickerMode) {
    confirmButton.isHidden = false
    // If the source URL does not have a path extension supported
    // show the extension warning label. Should only apply in
    // Export and Move services
    if let sourceURL = originalURL,
      sourceURL.pathExtension != Note.fileExtension
    {
      confirmButton.isHidden = true
      extensionWarningLabel.isHidden = false
    }

    switch mode {
    case .exportToService:
      //Show confirmation button
      confirmButton.setTitle("Export to CleverNote", for: UIControlState())
    case .moveToService:
      //Show confirmation button
      confirmButton.setTitle("Move to CleverNote", for: UIControlState())
    case .open:
      //Show file list
      confirmView.isHidden = true
    case .import:
      //Show file list
      confirmView.isHidden = true
    }
    showInTerminal()
  }

  /// What the storyboard does elsewhere.
  func showInTerminal() {
    confirmTitle = confirmButton.isHidden ? nil : confirmButton.title
    warning = extensionWarningLabel.isHidden ? nil : "CleverNote only accepts .txt files!"
  }
  override func didConfirm() { confirmButtonTapped(self) }
}

// MARK: - IBActions
extension DocumentPickerViewController {

  func confirmButtonTapped(_ sender: AnyObject) {
    guard let sourceURL = originalURL else {
      return
    }

    switch documentPickerMode {
    case .moveToService, .exportToService:
      let fileName = sourceURL.deletingPathExtension().lastPathComponent
      guard let destinationURL = Note.fileUrlForDocumentNamed(fileName) else {
        return
      }

      fileCoordinator.coordinate(
        readingItemAt: sourceURL,
        options: .withoutChanges,
        error: nil,
        byAccessor: { [weak self] newURL in
          do {
            try FileManager.default.copyItem(at: sourceURL, to: destinationURL)
            self?.dismissGrantingAccess(to: destinationURL)
          } catch _ {
            print("error copying file")
          }
        }
      )

    default:
      dismiss(animated: true, completion: nil)
    }
  }
}

class FileProvider: NSFileProviderExtension {
  // 1
  override func startProvidingItem(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    guard let fileData = try? Data(contentsOf: url) else {
      // NOTE: you would generate an NSError to supply to the completionHandler
      // here however that is outside of the scope for this tutorial
      completionHandler(nil)
      return
    }

    do {
      _ = try fileData.write(to: url, options: NSData.WritingOptions())
      completionHandler(nil)
    } catch let error as NSError {
      print("error writing file to URL")
      completionHandler(error)
    }
  }
}
