// Model code that meets files it cannot handle, as it is written for iOS.

import UIKit

final class AttachmentModel: UIViewController, UIDocumentInteractionControllerDelegate {
  private(set) var interactionController: UIDocumentInteractionController?
  private(set) var events: [String] = []

  func setupController(
    with fileURL: URL,
    using interactionDelegate: any UIDocumentInteractionControllerDelegate
  ) -> UIDocumentInteractionController {
    let interactionController = UIDocumentInteractionController(url: fileURL)
    interactionController.delegate = interactionDelegate
    return interactionController
  }

  func show(_ fileURL: URL) -> Bool {
    let controller = setupController(with: fileURL, using: self)
    controller.annotation = ["page": 3]
    interactionController = controller
    return controller.presentPreview(animated: true)
  }

  func documentInteractionControllerViewControllerForPreview(
    _ controller: UIDocumentInteractionController
  ) -> UIViewController { self }

  func documentInteractionControllerDidEndPreview(_ controller: UIDocumentInteractionController) {
    events.append("ended \(controller.name ?? "")")
  }
}
