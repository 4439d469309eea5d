import DesktopWindows
import Foundation
import Gtk

// A small window that shows files, whatever they are; the main package starts it for previews.

func complain(_ text: String, _ status: Int32) -> Never {
  FileHandle.standardError.write(Data(text.utf8))
  exit(status)
}

var words = Array(CommandLine.arguments.dropFirst())
if words.first == "--" {
  words.removeFirst()
} else if words.isEmpty || words.contains(where: { $0.hasPrefix("-") }) {
  complain(
    """
    usage: preview-window PATH...
    Shows what can be shown of files in a window: pictures, text, the first page of a PDF, else icon and
    facts; a PATH may be a file URL. Left and right go from one to the next; Escape, space and q close it.

    """,
    64
  )
}
let urls = words.map { word in
  if word.hasPrefix("file://"), let url = URL(string: word) { return url }
  return URL(filePath: word)
}
guard Toolkit.start(program: "preview-window") else {
  complain("preview-window: no display can be reached (DISPLAY, WAYLAND_DISPLAY)\n", 1)
}
WindowStyle.install()
let window = PreviewWindow(urls)
window.open { Toolkit.quit() }
Toolkit.run()
