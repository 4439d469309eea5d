import CoordinationRuntime
import FileCoordination
import Foundation
import LinuxSystem
import ProviderLink

/// What a provider's program does: serves whoever needs it, and ends when nobody has for a while.
///
/// The program is started by the first process that needs it, as its declaration says; a user who starts
/// it gets an explanation. Ours: elsewhere the system does it.
public enum DocumentProviderProgram {
  /// Serves until nobody needs the provider any more, and ends the process; never returns.
  ///
  /// Call it on the main thread, which then runs what belongs to the main actor.
  /// - Parameters:
  ///   - picker: makes the part that users see, once for each showing; nil: pickers show the folder.
  ///   - fileProvider: makes the part that delivers, once.
  @MainActor public static func run(
    picker: (@MainActor () -> UIDocumentPickerExtensionViewController)? = nil,
    fileProvider: (() -> NSFileProviderExtension)? = nil
  ) -> Never {
    guard let declaration = ProviderIdentity.currentDeclaration,
      let listener = ProviderProcess.takeListener()
    else {
      StandardError.write(
        "This program is a document provider: it is started by whoever needs it.\n"
      )
      exit(64)
    }
    // A user who hung up must not end us.
    Signal.pipe.ignore()
    let showings = PickerShowings(declaration) {
      (picker ?? { UIDocumentPickerExtensionViewController() })()
    }
    let host = ExtensionHost(declaration, fileProvider?(), showings)
    do {
      let server = ServerBox(
        server: try ProviderServer(declaration, listener: listener, host: host)
      )
      try BlockingThread.start("provider") {
        server.server.run()
        Environment.exit(0)
      }
    } catch {
      StandardError.write("\(declaration.identifier): \(error)\n")
      exit(1)
    }
    dispatchMain()
  }

  /// The server on its way to its thread.
  // @unchecked because nothing but that thread touches it after it was made.
  private struct ServerBox: @unchecked Sendable {
    let server: ProviderServer
  }
}
