// The other side of the tests: the program that is opened, and an app that opens it.
//
//   interaction-peer receive OUT [ARGUMENT]...   writes what it was given to OUT, as JSON
//   interaction-peer send FILE PROGRAM NOTE      opens FILE, says what its delegate hears, ends at the
//                                                end of its input; an action instead of a PROGRAM
//                                                (print:) is chosen from the options menu

import DocumentInteraction
import FileCoordination
import Foundation

struct Received: Codable {
  var arguments: [String]
  var note: String?
  var isStillInEnvironment: Bool
  var startupID: String?
}

func receive(_ words: [String]) throws {
  let annotation = DocumentAnnotation.take() as? [String: String]
  let received = Received(
    arguments: Array(words.dropFirst()),
    note: annotation?["note"],
    isStillInEnvironment: getenv(DocumentAnnotation.variable) != nil,
    startupID: ProcessInfo.processInfo.environment["DESKTOP_STARTUP_ID"]
  )
  // What was given is read, as a program does.
  for file in words.dropFirst() { _ = try? Data(contentsOf: URL(fileURLWithPath: file)) }
  try JSONEncoder().encode(received).write(to: URL(fileURLWithPath: words[0]), options: .atomic)
}

func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

@MainActor final class App: UIDocumentInteractionControllerDelegate {
  let note: String
  init(note: String) { self.note = note }

  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    willBeginSendingToApplication application: String?
  ) {
    say("will \(application ?? "-")")
    controller.annotation = ["note": note]
  }
  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    didEndSendingToApplication application: String?
  ) { say("did \(application ?? "-")") }
  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    canPerformAction action: DocumentAction
  ) -> Bool { true }
  func documentInteractionControllerFileDidChange(_ controller: UIDocumentInteractionController) {
    say("changed")
  }
  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    didFailWith error: any Error
  ) { say("failed \(error.localizedDescription)") }
}

@MainActor func send(_ words: [String]) async {
  let app = App(note: words[2])
  let controller = UIDocumentInteractionController(url: URL(fileURLWithPath: words[0]))
  controller.delegate = app
  let choice: DocumentMenu.Choice =
    words[1].hasSuffix(":") ? .action(DocumentAction(rawValue: words[1])) : .program(words[1])
  controller.frontEnd = ScriptedInteractionFrontEnd([
    .choose { menu in
      say("menu " + menu.entries.map(\.title).joined(separator: ","))
      return menu.entries.contains { $0.choice == choice } ? choice : nil
    }
  ])
  if case .action = choice {
    say("presents \(controller.presentOptionsMenu(animated: false))")
  } else {
    say("presents \(controller.presentOpenInMenu(animated: false))")
  }
  await controller.waitUntilIdle()
  await untilEndOfInput()
  withExtendedLifetime((controller, app)) {}
}

func untilEndOfInput() async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      _ = FileHandle.standardInput.readDataToEndOfFile()
      continuation.resume()
    }
  }
}

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "receive": try receive(Array(words.dropFirst()))
case "send": await send(Array(words.dropFirst()))
default: exit(64)
}
