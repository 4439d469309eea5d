import Testing
import UIKit

/// The code of the guide about document pickers, as apps have it.
@MainActor struct PickerClientTests {
  @MainActor
  final class ViewController: UIViewController, UIDocumentMenuDelegate,
    UIDocumentPickerDelegate
  {
    let UTIs = ["public.text"]
    var whatHappened: [String] = []
    var done: CheckedContinuation<Void, Never>?

    func importDocument() {
      let importMenu = UIDocumentMenuViewController(documentTypes: self.UTIs, in: .import)
      importMenu.delegate = self
      importMenu.addOption(withTitle: "New", image: nil, order: .first) { [weak self] in
        self?.note("new")
      }
      self.present(importMenu, animated: true, completion: nil)
    }

    func documentMenu(
      _ documentMenu: UIDocumentMenuViewController,
      didPickDocumentPicker documentPicker: UIDocumentPickerViewController
    ) {
      documentPicker.delegate = self
      self.present(documentPicker, animated: true, completion: nil)
    }

    func documentMenuWasCancelled(_ documentMenu: UIDocumentMenuViewController) {
      note("menu cancelled")
    }
    func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentAt url: URL) {
      note("picked")
    }
    func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) {
      note("picker cancelled")
    }

    private func note(_ what: String) {
      whatHappened.append(what)
      done?.resume()
      done = nil
    }
  }

  private func happens(_ steps: [ScriptedFrontEnd.Step]) async -> [String] {
    let controller = ViewController()
    controller.documentSession = DocumentSession(frontEnd: ScriptedFrontEnd(steps))
    await withCheckedContinuation { continuation in
      controller.done = continuation
      controller.importDocument()
    }
    return controller.whatHappened
  }

  @Test(.timeLimit(.minutes(3))) func `a menu that is dismissed is cancelled`() async {
    #expect(await happens([]) == ["menu cancelled"])
  }

  @Test(.timeLimit(.minutes(3))) func `a provider's picker is shown by the delegate`() async {
    #expect(await happens([.menu { _ in "files" }]) == ["picker cancelled"])
  }

  @Test(.timeLimit(.minutes(3))) func `an option runs its handler`() async {
    #expect(await happens([.menu { $0.first?.id }]) == ["new"])
  }
}
