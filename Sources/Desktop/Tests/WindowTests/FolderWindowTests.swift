import Foundation
import Testing

extension WindowTests {
  /// `docinteraction-window` on a display of its own.
  @Suite(.timeLimit(.minutes(2)), .serialized) struct FolderWindowTests {
    @Test func `a folder is listed, kept current, and its files are looked at`() async throws {
      let display = try Display()
      try display.put("notes.txt", "first line\nsecond line\n")
      try await display.putPicture("sunset.png", width: 320, height: 200)
      try FileManager.default.createDirectory(
        at: display.files.appending(path: "folder"),
        withIntermediateDirectories: false
      )
      let shown = try display.start("docinteraction-window", display.files.path)
      try await shown.shows("list folder (), notes.txt (23 bytes), sunset.png")
      try await display.run("/bin/cp", display.path("notes.txt"), display.path("another.txt"))
      try await shown.shows("list folder (), another.txt (23 bytes), notes.txt (23 bytes)")
      try await display.window("files")
      try await display.shoot("folder")
      // The folder stands first; it has nothing to be seen.
      try await display.press("space", in: "files")
      try await shown.shows("status there is nothing to see")
      try await display.press("Down", "space", in: "files")
      try await shown.shows("text ASCII whole another.txt: first line")
      try await display.window("another.txt")
      try await display.shoot("folder-preview")
      try await display.run("/bin/sh", "-c", "echo changed > '\(display.path("another.txt"))'")
      try await shown.shows("another.txt: changed")
      try await display.press("Escape", in: "another.txt")
      try await shown.shows("closed another.txt")
      try await display.run("/bin/rm", display.path("another.txt"))
      try await eventually("it is gone from the list") {
        try shown.lines.last { $0.hasPrefix("list") }?.contains("another") == false ? true : nil
      }
      #expect(try await display.close(shown, by: "q", in: "files") == 0)
    }

    @Test func `the options menu moves a file to the trash`() async throws {
      let display = try Display()
      try display.put("notes.txt", "text\n")
      let shown = try display.start("docinteraction-window", display.files.path)
      try await shown.shows("list notes.txt")
      try await display.press("a", in: "files")
      try await shown.shows("menu notes.txt: Quick Look")
      try await display.shoot("folder-options")
      // The trash is the last of them: no program is installed here.
      try await display.press("End", "Return", in: "files")
      let trashed = display.data.appending(path: "Trash/files/notes.txt").path
      try await eventually("it is in the trash") { display.exists(trashed) ? true : nil }
      #expect(!display.exists(display.path("notes.txt")))
      try await eventually("the list is empty") { try shown.lines.contains("list ") ? true : nil }
      let note = try String(
        contentsOf: display.data.appending(path: "Trash/info/notes.txt.trashinfo"),
        encoding: .utf8
      )
      #expect(note.contains("Path=\(display.path("notes.txt"))"))
    }

    @Test func `a menu that is put away leaves everything as it is`() async throws {
      let display = try Display()
      try display.put("notes.txt", "text\n")
      let shown = try display.start("docinteraction-window", display.files.path)
      try await shown.shows("list notes.txt")
      for _ in 0..<2 {
        try await display.press("a", in: "files")
        try await shown.shows("menu notes.txt")
        try await display.press("Escape", in: "files")
      }
      try await display.press("o", in: "files")
      try await shown.shows("status no program can open it")
      #expect(display.exists(display.path("notes.txt")))
    }

    @Test func `a file is opened in a program, and its change is told`() async throws {
      let display = try Display()
      try display.put("notes.txt", "text\n")
      let script = display.place.appending(path: "editor.sh")
      try Data("#!/bin/sh\necho changed by the editor >> \"$1\"\n".utf8).write(to: script)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: script.path
      )
      let entry = """
        [Desktop Entry]
        Type=Application
        Name=Test Editor
        Icon=accessories-text-editor
        Exec=\(script.path) %f
        MimeType=text/plain;

        """
      try Data(entry.utf8).write(to: display.data.appending(path: "applications/editor.desktop"))
      try await display.run("/usr/bin/update-desktop-database", display.data.path + "/applications")
      let shown = try display.start("docinteraction-window", display.files.path)
      try await shown.shows("list notes.txt")
      try await display.press("o", in: "files")
      try await shown.shows("menu notes.txt: Test Editor")
      try await display.shoot("folder-open-in")
      try await display.press("Return", in: "files")
      try await shown.shows("status opened in editor")
      try await display.run("/bin/sh", "-c", "echo again >> '\(display.path("notes.txt"))'")
      try await shown.shows("status notes.txt was changed by another program")
      let text = try String(contentsOf: display.files.appending(path: "notes.txt"), encoding: .utf8)
      #expect(text == "text\nchanged by the editor\nagain\n")
    }

    @Test func `five thousand files are listed, and one more`() async throws {
      let display = try Display()
      try await display.run("/bin/sh", "-c", "cd ~ && seq -f file%g.txt 0 4999 | xargs touch")
      let shown = try display.start("docinteraction-window", display.files.path)
      try await shown.shows("file4999.txt (0 bytes)")
      try display.put("zzz.txt", "")
      try await shown.shows("zzz.txt (0 bytes)")
      try await display.press("End", in: "files")
      try await display.shoot("folder-many")
      #expect(shown.isRunning)
    }

    @Test func `the terminal's program becomes the window where there is a display`() async throws {
      let display = try Display()
      try display.put("notes.txt", "text\n")
      let shown = try display.start("docinteraction", display.files.path)
      try await shown.shows("list notes.txt")
      #expect(try await display.close(shown, by: "Escape", in: "files") == 0)
      // Neither a terminal nor a window is there.
      #expect(
        try await display.start("docinteraction", "--terminal", display.files.path).ends() == 1
      )
      #expect(
        try await display.start("docinteraction-window", display.path("notes.txt")).ends() == 1
      )
    }
  }
}
