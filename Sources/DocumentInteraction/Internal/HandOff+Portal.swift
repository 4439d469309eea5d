import DesktopPortal
package import FileCoordination
import Foundation
import LinuxSystem

extension HandOff {
  /// Stands for whatever program the user prefers or chooses outside of our sandbox: its name never comes
  /// to us.
  package static let outside = ""

  /// Asks the portal to open the file; blocks the calling thread for three seconds at most once it has
  /// access.
  ///
  /// The file is held for reading until a program was started, but no longer than that: a user may think
  /// for hours. The answer is false where the user wants no program; `asking` gets it as soon as there is
  /// somebody to be cancelled.
  /// - Throws: ``DocumentInteractionError``, ``CoordinationError``; so does the answer.
  package func ask(
    _ coordinator: NSFileCoordinator = NSFileCoordinator(),
    asking: (PendingAnswer<Bool>) -> Void = { _ in }
  ) throws -> PendingAnswer<Bool> {
    try coordinator.coordinate(readingItemAt: url, timeout: timeLimit) { url in
      guard let path = FilePath(url) else {
        throw DocumentInteractionError(.notOpened, url, "\(url) is not the URL of a file")
      }
      let (file, isWritable) =
        opensInPlace
        ? try Self.open(path) : (try Self.openForReading(try Inbox.current().copy(path)), false)
      var request = FileOpener.Request()
      request.asks = asks
      request.isWritable = isWritable
      let answer = PendingAnswer { [request] in
        do {
          return try await Confinement.ask { try await $0.open(file, request) }
        } catch let error as PortalError {
          throw DocumentInteractionError(
            .notOpened,
            url,
            "\(url.lastPathComponent) was not opened: \(error)",
            cause: error
          )
        }
      }
      asking(answer)
      _ = answer.wait(atMost: .seconds(3))
      return answer
    }
  }

  /// The program may write what we may write: the portal takes the descriptor for the proof.
  private static func open(_ path: FilePath) throws(SystemError) -> (SharedDescriptor, Bool) {
    do throws(SystemError) {
      return (SharedDescriptor(try Descriptor.open(path, [.readWrite, .nonBlocking])), true)
    } catch {
      switch error.code {
      case .permissionDenied, .notPermitted, .readOnlyFileSystem, .isDirectory, .textBusy:
        return (try openForReading(path), false)
      default: throw error
      }
    }
  }

  private static func openForReading(_ path: FilePath) throws(SystemError) -> SharedDescriptor {
    SharedDescriptor(try Descriptor.open(path, [.readOnly, .nonBlocking]))
  }
}
