import DocumentPicker
import Foundation
import LinuxSystem

/// The program: a provider, and what makes it known.
package enum NotesProviderProgram {
  /// Runs as its arguments say; never returns.
  @MainActor package static func run(_ arguments: [String]) -> Never {
    do {
      switch arguments {
      case []:
        let provider = NotesFileProvider()
        DocumentProviderProgram.run(
          picker: { NotesPickerController(provider) },
          fileProvider: { provider }
        )
      case ["--install"]:
        print(try install().path)
        exit(0)
      case ["--uninstall"]:
        try FileManager.default.removeItem(at: declaration)
        exit(0)
      default:
        StandardError.write(
          """
          usage: notes-provider --install | --uninstall
          A document provider that keeps notes. --install declares it for this user; whoever needs it
          then starts it. Its store is notes-provider/store in the user's data directory.

          """
        )
        exit(64)
      }
    } catch {
      StandardError.write("notes-provider: \(error.localizedDescription)\n")
      exit(1)
    }
  }

  private static var declaration: URL {
    NoteStore().directory.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "document-providers/notes.json")
  }

  private struct Declaration: Encodable {
    let identifier = Note.identifier
    let displayName = "Notes"
    let icon = "accessories-text-editor"
    let modes = ["import", "open", "exportToService", "moveToService"]
    // Everything: what it does not take, its picker says.
    let supportedTypes = ["public.content", "public.data"]
    let documentGroup = Note.identifier
    let exec: [String]
  }

  private static func install() throws -> URL {
    guard let program = Bundle.main.executablePath else { throw CocoaError(.fileNoSuchFile) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(Declaration(exec: [program]))
    try FileManager.default.createDirectory(
      at: declaration.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try data.write(to: declaration, options: .atomic)
    return declaration
  }
}
