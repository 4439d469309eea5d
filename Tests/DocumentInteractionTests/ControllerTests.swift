import DocumentPicker
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import DocumentInteraction

@MainActor @Suite(.timeLimit(.minutes(3))) struct ControllerTests {
  /// What services were asked to do.
  final class Log: Sendable {
    private let state = Mutex<[String]>([])
    func add(_ line: String) { state.withLock { $0.append(line) } }
    var lines: [String] { state.withLock { $0 } }
  }

  @MainActor final class Delegate: UIDocumentInteractionControllerDelegate {
    let log: Log
    var viewController: UIViewController? = UIViewController()
    var allowed: Set<DocumentAction> = []
    var performs = false
    var noteOnSending: String?
    init(_ log: Log) { self.log = log }

    func documentInteractionControllerViewControllerForPreview(
      _ controller: UIDocumentInteractionController
    ) -> UIViewController { viewController ?? NoViewController.shared }
    func documentInteractionControllerWillBeginPreview(_ c: UIDocumentInteractionController) {
      log.add("will begin preview")
    }
    func documentInteractionControllerDidEndPreview(_ c: UIDocumentInteractionController) {
      log.add("did end preview")
    }
    func documentInteractionControllerWillPresentOptionsMenu(_ c: UIDocumentInteractionController) {
      log.add("will present options")
    }
    func documentInteractionControllerDidDismissOptionsMenu(_ c: UIDocumentInteractionController) {
      log.add("did dismiss options")
    }
    func documentInteractionControllerWillPresentOpenInMenu(_ c: UIDocumentInteractionController) {
      log.add("will present open-in")
    }
    func documentInteractionControllerDidDismissOpenInMenu(_ c: UIDocumentInteractionController) {
      log.add("did dismiss open-in")
    }
    func documentInteractionController(
      _ controller: UIDocumentInteractionController,
      willBeginSendingToApplication application: String?
    ) {
      log.add("will send \(application ?? "-")")
      if let noteOnSending { controller.annotation = noteOnSending }
    }
    func documentInteractionController(
      _ controller: UIDocumentInteractionController,
      didEndSendingToApplication application: String?
    ) { log.add("did send \(application ?? "-")") }
    func documentInteractionController(
      _ controller: UIDocumentInteractionController,
      canPerformAction action: DocumentAction
    ) -> Bool { allowed.contains(action) }
    func documentInteractionController(
      _ controller: UIDocumentInteractionController,
      performAction action: DocumentAction
    ) -> Bool {
      log.add("perform \(action.rawValue)")
      return performs
    }
    func documentInteractionController(
      _ controller: UIDocumentInteractionController,
      didFailWith error: any Error
    ) { log.add("failed: \(error.localizedDescription)") }
  }

  let log = Log()
  let url = URL(fileURLWithPath: "/nowhere/report.txt")

  func services(programs: [String] = [], preview: Bool = true) -> InteractionServices {
    let log = log
    return InteractionServices(
      typeOfItem: { _ in "text/plain" },
      typeOfName: { _ in "text/plain" },
      icons: { _ in [DocumentIcon(name: "text-plain", size: 16, file: nil)] },
      programs: { _ in programs.map { InteractionServices.Program(id: "\($0).desktop", name: $0) }
      },
      open: { handOff, _ in
        let note = handOff.annotation.flatMap { DocumentAnnotation.read(Data($0)) }
        log.add("open \(handOff.program) note \(note ?? "-")")
      },
      canPreview: { _, _ in preview },
      preview: { url, _ in
        DocumentPreview(
          url: url,
          title: url.lastPathComponent,
          mimeType: "text/plain",
          iconNames: [],
          content: .none,
          facts: []
        )
      },
      canPerform: { _, _, _ in true },
      perform: { action, _, _ in log.add("service \(action.rawValue)") }
    )
  }

  func controller(
    _ services: InteractionServices,
    _ delegate: Delegate?,
    _ steps: [ScriptedInteractionFrontEnd.Step] = []
  ) -> (UIDocumentInteractionController, ScriptedInteractionFrontEnd) {
    let controller = UIDocumentInteractionController(url: url, services: services)
    let frontEnd = ScriptedInteractionFrontEnd(steps)
    controller.delegate = delegate
    controller.frontEnd = frontEnd
    return (controller, frontEnd)
  }

  @Test func `40: without a program there is no open-in menu, and nobody is called`() async {
    let delegate = Delegate(log)
    let (controller, frontEnd) = controller(services(), delegate)
    #expect(!controller.presentOpenInMenu(animated: true))
    await controller.waitUntilIdle()
    #expect(frontEnd.menus.isEmpty)
    #expect(log.lines.isEmpty)
  }

  @Test func `41: without somebody to present there is no preview and no row for it`() async {
    let delegate = Delegate(log)
    delegate.viewController = nil
    let (controller, frontEnd) = controller(services(programs: ["a"]), delegate)
    #expect(!controller.presentPreview(animated: true))
    #expect(controller.presentOptionsMenu(animated: true))
    await controller.waitUntilIdle()
    #expect(frontEnd.menus[0].entries.map(\.choice) == [.program("a.desktop")])
    #expect(frontEnd.previews.isEmpty)
    delegate.viewController = UIViewController()
    #expect(controller.presentOptionsMenu(animated: true))
    await controller.waitUntilIdle()
    #expect(frontEnd.menus[1].entries.map(\.choice) == [.preview, .program("a.desktop")])
  }

  @Test func `a delegate that leaves the method out has no preview`() async {
    final class Bare: UIDocumentInteractionControllerDelegate {}
    let bare = Bare()
    let (controller, _) = controller(services(), nil)
    controller.delegate = bare
    #expect(!controller.presentPreview(animated: false))
    #expect(!controller.presentOptionsMenu(animated: false))
  }

  @Test func `43: another URL brings its name and type, a given type stays until then`() {
    let (controller, _) = controller(services(), nil)
    #expect(controller.name == "report.txt")
    #expect(controller.uti == "public.plain-text")
    controller.name = "picture.png"
    #expect(controller.uti == "public.png")
    controller.uti = "com.adobe.pdf"
    #expect(controller.uti == "com.adobe.pdf")
    controller.url = URL(fileURLWithPath: "/nowhere/table.csv")
    #expect(controller.name == "table.csv")
    #expect(controller.uti == "public.comma-separated-values-text")
  }

  @Test func `44: told, then the annotation is read, then opened, then told`() async {
    let delegate = Delegate(log)
    delegate.noteOnSending = "fresh"
    let (controller, _) = controller(
      services(programs: ["a", "b"]),
      delegate,
      [.choose { _ in .program("b.desktop") }]
    )
    controller.annotation = "stale"
    #expect(controller.presentOpenInMenu(animated: true))
    await controller.waitUntilIdle()
    #expect(
      log.lines == [
        "will present open-in", "did dismiss open-in", "will send b",
        "open b.desktop note fresh", "did send b",
      ]
    )
  }

  @Test func `an annotation that is no property list reaches nobody`() async {
    let delegate = Delegate(log)
    let (controller, _) = controller(
      services(programs: ["a"]),
      delegate,
      [.choose { _ in .program("a.desktop") }]
    )
    controller.annotation = NSObject()
    #expect(controller.presentOpenInMenu(animated: true))
    await controller.waitUntilIdle()
    #expect(log.lines.contains { $0.hasPrefix("failed: the annotation") })
    #expect(!log.lines.contains { $0.hasPrefix("open") })
    #expect(log.lines.last == "did send a")
  }

  @Test func `a menu that is put away calls nothing more`() async {
    let delegate = Delegate(log)
    let (controller, _) = controller(services(programs: ["a"]), delegate, [.choose { _ in nil }])
    #expect(controller.presentOptionsMenu(animated: true))
    await controller.waitUntilIdle()
    #expect(log.lines == ["will present options", "did dismiss options"])
  }

  @Test func `a menu can be put away by the program, and a preview too`() async throws {
    let delegate = Delegate(log)
    let (controller, frontEnd) = controller(services(programs: ["a"]), delegate, [.wait, .wait])
    #expect(controller.presentOpenInMenu(animated: true))
    #expect(!controller.presentOpenInMenu(animated: true))
    try await eventuallyOnMain("the menu is shown") { !frontEnd.menus.isEmpty }
    controller.dismissMenu(animated: true)
    await controller.waitUntilIdle()
    #expect(log.lines == ["will present open-in", "did dismiss open-in"])
    #expect(controller.presentPreview(animated: true))
    try await eventuallyOnMain("the preview is shown") { !frontEnd.previews.isEmpty }
    controller.dismissPreview(animated: true)
    await controller.waitUntilIdle()
    #expect(log.lines.suffix(2) == ["will begin preview", "did end preview"])
  }

  @Test func `rows: what can be seen, print, copy, ours, programs`() async {
    let delegate = Delegate(log)
    delegate.allowed = [.copy, .print, .moveToTrash]
    let (controller, frontEnd) = controller(services(programs: ["a", "b"]), delegate)
    #expect(controller.presentOptionsMenu(animated: true))
    await controller.waitUntilIdle()
    #expect(
      frontEnd.menus[0].entries.map(\.choice) == [
        .preview, .action(.print), .action(.copy), .action(.moveToTrash), .program("a.desktop"),
        .program("b.desktop"),
      ]
    )
  }

  @Test(arguments: [true, false])
  func `an action is the delegate's if it carries it out, else the controller's`(_ performs: Bool)
    async
  {
    let delegate = Delegate(log)
    delegate.allowed = [.copy]
    delegate.performs = performs
    let (controller, _) = controller(services(), delegate, [.choose { _ in .action(.copy) }])
    #expect(controller.presentOptionsMenu(animated: true))
    await controller.waitUntilIdle()
    #expect(log.lines.contains("perform copy:"))
    #expect(log.lines.contains("service copy:") == !performs)
  }

  @Test func `nothing is presented without a front end`() {
    let delegate = Delegate(log)
    let (controller, _) = controller(services(programs: ["a"]), delegate)
    controller.frontEnd = nil
    #expect(!controller.presentPreview(animated: false))
    #expect(!controller.presentOpenInMenu(animated: false))
    #expect(!controller.presentOptionsMenu(animated: false))
  }

  private final class WindowsOnly: DocumentInteractionFrontEnd {
    var canShowMenus: Bool { false }
    func choose(from menu: DocumentMenu) async -> DocumentMenu.Choice? { nil }
    func show(_ preview: DocumentPreview) async throws {}
  }

  @Test func `a front end without menus is asked for previews only`() async {
    let delegate = Delegate(log)
    let (controller, _) = controller(services(programs: ["a"]), delegate)
    controller.frontEnd = WindowsOnly()
    #expect(!controller.presentOpenInMenu(animated: false))
    #expect(!controller.presentOptionsMenu(animated: false))
    #expect(controller.presentPreview(animated: false))
    await controller.waitUntilIdle()
    #expect(log.lines == ["will begin preview", "did end preview"])
  }

  @Test func `42: icons are there for everything, the smallest first`() {
    for type in ["text/plain", "image/png", "inode/directory", "x-nobody/knows", "nonsense", ""] {
      let icons = DocumentIcons.icons(of: type)
      #expect(!icons.isEmpty)
      #expect(icons.map(\.size) == icons.map(\.size).sorted())
      #expect(icons.allSatisfy { !$0.name.isEmpty })
    }
  }
}
