import DesktopWindows
import DocInteractionModel
import Foundation
import Gtk

// The sample as a window: a folder, each file of which can be looked at and opened.

func complain(_ text: String, _ status: Int32) -> Never {
  FileHandle.standardError.write(Data(text.utf8))
  exit(status)
}

let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 1, !words[0].hasPrefix("-") else {
  complain(
    """
    usage: docinteraction-window FOLDER
    Lists a folder, which may change meanwhile; FOLDER may be a file URL. Space or Enter shows what can be
    shown of a file, o opens it in another program, a offers all that can be done with it, q closes.

    """,
    64
  )
}
guard Toolkit.start(program: "docinteraction") else {
  complain("docinteraction-window: no display can be reached (DISPLAY, WAYLAND_DISPLAY)\n", 1)
}
WindowStyle.install()
let url =
  words[0].hasPrefix("file://")
  ? URL(string: words[0]) ?? URL(filePath: words[0]) : URL(filePath: words[0])
do {
  let window = try FolderWindow(url)
  window.open { Toolkit.quit() }
  Toolkit.run()
} catch {
  let message = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  complain("docinteraction-window: \(message)\n", 1)
}
