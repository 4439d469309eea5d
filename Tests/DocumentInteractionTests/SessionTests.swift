import Foundation
import LinuxSystem
import TestSupport
import Testing

/// What goes to other programs of the session: over a private bus, or through tools.
@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn, .tags(.multiProcess)) struct SessionTests {
  /// A program on the bus that notes what it is told.
  private static let service = """
    import sys
    from gi.repository import Gio, GLib
    name, log = sys.argv[1:3]
    xml = '''<node><interface name="org.freedesktop.Application">
    <method name="Open"><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/></method>
    </interface><interface name="org.freedesktop.FileManager1">
    <method name="ShowItems"><arg type="as" direction="in"/><arg type="s" direction="in"/></method>
    </interface><interface name="org.gnome.NautilusPreviewer2">
    <method name="ShowFile"><arg type="s" direction="in"/><arg type="s" direction="in"/>
    <arg type="b" direction="in"/></method>
    </interface></node>'''
    def called(bus, sender, path, interface, method, arguments, invocation):
        first = arguments.unpack()[0]
        words = [method, path] + (first if isinstance(first, list) else [first])
        data = arguments.unpack()[1]
        if isinstance(data, dict):
            words += sorted(data)
            note = bytes(data.get('x-annotation', []))
            words.append('note' if note.startswith(b'bplist00') and b'from the app' in note else '-')
        open(log, 'a').write(' '.join(words) + '\\n')
        if words[2].endswith('refused.txt'):
            invocation.return_dbus_error('org.example.No', 'not today')
        else:
            invocation.return_value(None)
    node = Gio.DBusNodeInfo.new_for_xml(xml)
    def acquired(bus, name):
        for path in ('/org/example/Editor', '/org/freedesktop/FileManager1',
                     '/org/gnome/NautilusPreviewer'):
            for interface in node.interfaces:
                bus.register_object(path, interface, called, None, None)
    Gio.bus_own_name(Gio.BusType.SESSION, name, 0, acquired, None, None)
    GLib.timeout_add_seconds(20, sys.exit)
    GLib.MainLoop().run()
    """

  private func makeDesktop(_ bus: String) throws -> Desktop {
    let desktop = try Desktop {
      File("a.txt", "text")
      File("refused.txt", "text")
    }
    let script = desktop.system.appending("service.py")
    try desktop.put(script, Self.service)
    let place = desktop.system.appending("dbus-1").appending("services")
    try FileSystem.makeDirectories(place)
    try desktop.put(
      place.appending("\(bus).service"),
      "[D-BUS Service]\nName=\(bus)\nExec=/usr/bin/python3 \(script) \(bus) \(desktop.path("log"))\n"
    )
    return desktop
  }

  private func onBus(_ desktop: Desktop, _ product: String, _ arguments: [String]) async throws
    -> Desktop.Result
  {
    try await desktop.run(
      "/usr/bin/dbus-run-session",
      ["--", World.product(product).description] + arguments
    )
  }

  @Test func `a program that is started over the bus is told there, annotation and all`()
    async throws
  {
    let desktop = try makeDesktop("org.example.Editor")
    try await desktop.install(
      "org.example.Editor",
      exec: "touch \(desktop.path("spawned"))",
      more: "DBusActivatable=true"
    )
    let opened = try await onBus(desktop, "filecoord", ["open", desktop.path("a.txt")])
    #expect(opened.status == 0, "\(opened.errors)")
    let sent = try await onBus(
      desktop,
      "interaction-peer",
      ["send", desktop.path("a.txt"), "org.example.Editor.desktop", "from the app"]
    )
    #expect(sent.lines.contains("did org.example.Editor"))
    let lines = try desktop.world.contents("log").split(separator: "\n")
    let start = "Open /org/example/Editor file://\(desktop.path("a.txt")) desktop-startup-id"
    #expect(lines == ["\(start) -", "\(start) x-annotation note"].map { Substring($0) })
    #expect(!desktop.world.exists("spawned"))
  }

  @Test func `what it answers with is told`() async throws {
    let desktop = try makeDesktop("org.example.Editor")
    try await desktop.install("org.example.Editor", exec: "true", more: "DBusActivatable=true")
    let result = try await onBus(desktop, "filecoord", ["open", desktop.path("refused.txt")])
    #expect(result.status == 1)
    #expect(result.errors.contains("not today"))
  }

  @Test func `without a bus it is started as any other`() async throws {
    let desktop = try Desktop { File("a.txt", "text") }
    try await desktop.installReceiver("org.example.Plain", more: "DBusActivatable=true")
    #expect(try await desktop.filecoord("open", desktop.path("a.txt")).status == 0)
    #expect(try await desktop.received("org.example.Plain").arguments == [desktop.path("a.txt")])
  }

  @Test func `a file is shown in the file manager, where there is one`() async throws {
    let desktop = try makeDesktop("org.freedesktop.FileManager1")
    let shown = try await onBus(
      desktop,
      "interaction-peer",
      ["send", desktop.path("a.txt"), "reveal:", "x"]
    )
    #expect(shown.output.contains("Show in File Manager"))
    #expect(try desktop.world.contents("log").contains("ShowItems"))
    #expect(try desktop.world.contents("log").contains("file://\(desktop.path("a.txt"))"))
    let without = try await desktop.run(
      World.product("interaction-peer").description,
      ["send", desktop.path("a.txt"), "reveal:", "x"]
    )
    #expect(!without.output.contains("Show in File Manager"))
  }

  @Test func `a window of the desktop's previewer shows a file, where there is one`() async throws {
    let desktop = try makeDesktop("org.gnome.NautilusPreviewer")
    let words = try ["--", World.product("filecoord").description, "preview", "--window"]
    let display = ["DISPLAY=:nowhere"]
    let bus = "/usr/bin/dbus-run-session"
    let shown = try await desktop.run(bus, words + [desktop.path("a.txt")], display)
    #expect(shown.status == 0)
    #expect(shown.output.isEmpty)
    #expect(
      try desktop.world.contents("log")
        == "ShowFile /org/gnome/NautilusPreviewer file://\(desktop.path("a.txt"))\n"
    )
    // Without a window it is shown here, and said so.
    let refused = try await desktop.run(bus, words + [desktop.path("refused.txt")], display)
    #expect(refused.status == 0)
    #expect(refused.output.contains("text"))
    #expect(refused.errors.contains("not today"))
    let without = try await desktop.run(bus, words + [desktop.path("a.txt")])
    #expect(without.output.contains("text"))
    #expect(without.errors.contains("no display is there"))
  }

  @Test func `printing hands the contents and a title to lp`() async throws {
    let desktop = try Desktop { File("-o evil $(touch pwned).txt", "to be printed") }
    try desktop.installTool(
      "lp",
      "printf '%s\\n' \"$@\" > '\(desktop.path("words"))'; cat > '\(desktop.path("paper"))'"
    )
    let result = try await desktop.run(
      World.product("interaction-peer").description,
      ["send", desktop.path("-o evil $(touch pwned).txt"), "print:", "x"]
    )
    #expect(!result.output.contains("failed"))
    #expect(try desktop.world.contents("paper") == "to be printed")
    #expect(try desktop.world.contents("words") == "-t\n-o evil $(touch pwned).txt\n")
    #expect(!desktop.world.exists("pwned"))
  }

  @Test func `what lp says is told`() async throws {
    let desktop = try Desktop { File("a.txt", "x") }
    try desktop.installTool("lp", "echo 'lp: Error - No default destination.' >&2; exit 1")
    let result = try await desktop.run(
      World.product("interaction-peer").description,
      ["send", desktop.path("a.txt"), "print:", "x"]
    )
    #expect(
      result.output.contains("failed lp could not print: lp: Error - No default destination. ")
    )
  }

  @Test func `copying hands the URL to the clipboard's tool`() async throws {
    let desktop = try Desktop { File("a b.txt", "x") }
    try desktop.installTool("xclip", "cat > '\(desktop.path("clip"))'")
    let result = try await desktop.run(
      World.product("interaction-peer").description,
      ["send", desktop.path("a b.txt"), "copy:", "x"],
      ["DISPLAY=:99"]
    )
    #expect(!result.output.contains("failed"))
    let url = "file://\(desktop.path("a b.txt"))".replacingOccurrences(of: " ", with: "%20")
    #expect(try desktop.world.contents("clip") == "\(url)\r\n")
  }

  @Test func `a picture is saved among the user's pictures, beside one of its name`() async throws {
    let desktop = try Desktop { File("dot.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>") }
    for _ in 0..<2 {
      let result = try await desktop.run(
        World.product("interaction-peer").description,
        ["send", desktop.path("dot.svg"), "saveToCameraRoll:", "x"]
      )
      #expect(!result.output.contains("failed"), "\(result.output)")
    }
    #expect(try desktop.world.list("Pictures") == ["dot 2.svg", "dot.svg"])
  }
}
