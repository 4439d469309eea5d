import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import DesktopPrograms

/// Programs and preferences, with GIO's own commands as the judge.
@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn, .tags(.multiProcess)) struct ProgramTests {
  /// The entries after the heading in what `gio mime` says.
  private func gio(_ desktop: Desktop, _ type: String) async throws -> (String?, [String]) {
    let lines = try await desktop.run("/usr/bin/gio", "mime", type).lines
    let preferred = lines.first { $0.hasPrefix("Default application") }?
      .split(separator: " ").last.map(String.init)
    let start = lines.firstIndex { $0.hasPrefix("Registered applications") }
    let registered = start.map { lines[($0 + 1)...].prefix { $0.hasPrefix("\t") } } ?? []
    return (preferred, registered.map { $0.trimmingCharacters(in: .whitespaces) })
  }

  private func apps(_ desktop: Desktop, _ name: String) async throws -> [String] {
    try await desktop.filecoord("apps", desktop.path(name)).lines
      .compactMap { $0.split(separator: "\t").first.map(String.init) }
  }

  @Test func `the list is GIO's, with the preferred program first`() async throws {
    let desktop = try Desktop { File("a.md", "# a") }
    try await desktop.install("zeta", types: "text/markdown;", exec: "true %f")
    try await desktop.install("alpha", types: "text/markdown;text/plain;", exec: "true %f")
    try await desktop.install("plain", in: desktop.system, types: "text/plain;", exec: "true %f")
    try await desktop.install("added", in: desktop.system, types: "image/png;", exec: "true %f")
    try await desktop.install("removed", types: "text/markdown;", exec: "true %f")
    try await desktop.install(
      "hidden",
      types: "text/markdown;",
      exec: "true %f",
      more: "Hidden=true"
    )
    try await desktop.install(
      "nodisplay",
      types: "text/markdown;",
      exec: "true %f",
      more: "NoDisplay=true"
    )
    try await desktop.install(
      "broken",
      types: "text/markdown;",
      exec: "x %f",
      more: "TryExec=/no/such"
    )
    try desktop.put(
      desktop.config.appending("mimeapps.list"),
      """
      [Default Applications]
      text/markdown=missing.desktop;plain.desktop;
      [Added Associations]
      text/markdown=added.desktop;plain.desktop;
      [Removed Associations]
      text/markdown=removed.desktop;

      """
    )
    let (preferred, registered) = try await gio(desktop, "text/markdown")
    let ours = try await apps(desktop, "a.md")
    #expect(preferred == "plain.desktop")
    #expect(ours.first == preferred)
    #expect(Set(ours) == Set(registered).union(["plain.desktop"]))
    #expect(ours.filter { $0 != preferred } == registered.filter { $0 != preferred })
    #expect(!ours.contains("removed.desktop"))
    #expect(!ours.contains("hidden.desktop"))
    #expect(!ours.contains("broken.desktop"))
    #expect(ours.contains("nodisplay.desktop"))
  }

  @Test func `without a program for the type itself one for what it is a case of is taken`()
    async throws
  {
    let desktop = try Desktop { File("a.md", "# a") }
    try await desktop.install("plain", types: "text/plain;", exec: "true %f")
    #expect(try await apps(desktop, "a.md") == ["plain.desktop"])
  }

  @Test func `nothing is listed, and nothing opened, where nothing is installed`() async throws {
    let desktop = try Desktop { File("a.txt", "a") }
    #expect(try await desktop.filecoord("apps", desktop.path("a.txt")).output == "")
    let result = try await desktop.filecoord("open", desktop.path("a.txt"))
    #expect(result.status == 1)
    #expect(result.errors.contains("no program for text/plain"))
  }

  @Test func `each line of --json says what is known`() async throws {
    let desktop = try Desktop { File("a.txt", "a") }
    try await desktop.install(
      "one",
      exec: "true %f",
      more: "Terminal=true\nIcon=accessories-text-editor"
    )
    let lines = try await desktop.filecoord("apps", "--json", desktop.path("a.txt")).lines
    let line = try #require(lines.first)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    )
    #expect(object["id"] as? String == "one.desktop")
    #expect(object["type"] as? String == "text/plain")
    #expect(object["terminal"] as? Bool == true)
    #expect(object["icon"] as? String == "accessories-text-editor")
  }

  @Test func `damaged entries and lists are passed over`() async throws {
    let desktop = try Desktop { File("a.txt", "a") }
    try await desktop.install("good", exec: "true %f")
    let places = desktop.data.appending("applications")
    let damage = [
      "", "[Desktop Entry]", "\u{0}\u{1}\u{2}", "[Desktop Entry]\nType=Application\nName=x\n",
      "Type=Application\nExec=true %f\nMimeType=text/plain;\n",
      "[Desktop Entry]\nType=Link\nName=x\nURL=file:///etc\nMimeType=text/plain;\n",
      "[Desktop Entry\nType=Application\nExec=true %f\nMimeType=text/plain;\n",
      "[Desktop Entry]\nType=Application\nName=x\nExec=\"unclosed %f\nMimeType=text/plain;\n",
      String(repeating: "[Desktop Entry]\n", count: 10_000),
    ]
    for (index, text) in damage.enumerated() {
      try desktop.put(places.appending("damaged\(index).desktop"), text)
    }
    try desktop.put(
      places.appending("mimeinfo.cache"),
      "[MIME Cache]\ntext/plain=good.desktop;"
        + damage.indices.map { "damaged\($0).desktop;" }.joined() + "\n"
    )
    try desktop.put(
      desktop.config.appending("mimeapps.list"),
      "[Default Applications]\ntext/plain\n=\n["
    )
    let ours = try await apps(desktop, "a.txt")
    #expect(ours.contains("good.desktop"))
    #expect(
      try await desktop.filecoord("open", "--with", "good", desktop.path("a.txt")).status == 0
    )
    // A cache that is not one says nothing, as GIO has it.
    try desktop.put(places.appending("mimeinfo.cache"), "[MIME Cache]\n\u{0}=;;\n[MIME")
    #expect(try await apps(desktop, "a.txt") == gio(desktop, "text/plain").1)
  }

  @Test(
    arguments: [
      ("edit %f", nil), ("edit", nil), ("edit --file=%u %%", nil), ("\"my edit\" %F", nil),
      ("edit %n %f", "withdrawn"), ("edit %x", "unknown field code '%x'"),
      ("edit %f %F", "more than one"),
      ("sh -c \"edit %f\"", "inside quotes"), ("sh -c 'edit %f'", "inside quotes"),
      ("sh -c edit\\ %f", "inside quotes"), ("edit %", "lone '%'"), ("\"edit %f", "quote"),
      ("", "empty"),
    ] as [(String, String?)]
  )
  func `a command line that could be misread is not run`(_ line: String, _ fault: String?) {
    let judged = ExecLine(line)
    if let fault {
      #expect(judged.fault?.contains(fault) == true)
    } else {
      #expect(judged.fault == nil)
    }
  }
}
