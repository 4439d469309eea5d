// A program that picks: `picker-peer MODE [OPTION]...`. The user's part is in the arguments; what the
// delegate hears is written to standard output, a line each.

import DocumentPicker
import Foundation

let modes: [String: UIDocumentPickerMode] = [
  "import": .import, "open": .open, "export": .exportToService, "move": .moveToService,
]
guard let mode = modes[arguments.first ?? ""] else { exit(64) }
let types = (option("--types") ?? "public.item").split(separator: ",").map(String.init)
let sources = (option("--sources") ?? "").split(separator: ",").map { URL(filePath: String($0)) }

if has("--documents") {
  App.rounds = DocumentRounds(
    (option("--take") ?? "").split(separator: ",").map { URL(filePath: String($0)) },
    of: ProviderID(rawValue: option("--provider") ?? "")
  )
  App.rounds?.go()
} else if has("--menu") {
  let menu =
    mode.picksItems
    ? UIDocumentMenuViewController(documentTypes: types, in: mode)
    : UIDocumentMenuViewController(url: sources[0], in: mode)
  for (title, order) in [
    ("Last A", UIDocumentMenuOrder.last), ("First A", .first), ("First B", .first),
    ("Last B", .last),
  ] {
    menu.addOption(withTitle: title, image: nil, order: order) {
      emit("handler \(title)")
      end()
    }
  }
  menu.delegate = App.menuDelegate
  let wanted = option("--menu") ?? ""
  DocumentSession.shared.frontEnd = ScriptedFrontEnd([
    .menu { entries in
      emit("rows \(entries.map(\.title).joined(separator: ","))")
      return entries.first { $0.title == wanted }?.id
    },
    .select(answer),
  ])
  App.app.present(menu, animated: true)
} else {
  let picker =
    mode.picksItems
    ? UIDocumentPickerViewController(documentTypes: types, in: mode)
    : UIDocumentPickerViewController(urls: sources, in: mode)
  picker.delegate = App.delegate
  picker.allowsMultipleSelection = true
  DocumentSession.shared.frontEnd =
    has("--held") ? HeldFrontEnd() : ScriptedFrontEnd([.select(answer)])
  App.app.present(picker, animated: true)
}
dispatchMain()
