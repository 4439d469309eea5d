import DocumentPicker
import FileCoordination
import Foundation
import LinuxSystem

/// This program as a provider, which delivers at once and notes that it did.
enum BenchmarkProvider {
  /// The argument that makes the program one; another says where it notes.
  static let verb = "provide"
  static let contents = Data("contents\n".utf8)

  @MainActor static func run(_ log: String) -> Never {
    let log = FilePath(log)
    Delivery.note("process \(ProcessIdentity.ownNumber)", in: log)
    DocumentProviderProgram.run(fileProvider: { Delivery(log) })
  }

  private final class Delivery: NSFileProviderExtension {
    private let log: FilePath

    init(_ log: FilePath) {
      self.log = log
      super.init()
    }

    override func startProvidingItem(
      at url: URL,
      completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
      Self.note("start \(url.lastPathComponent)", in: log)
      do {
        try BenchmarkProvider.contents.write(to: url)
        completionHandler(nil)
      } catch { completionHandler(error) }
    }

    /// A line in one write, so that several processes could write it.
    static func note(_ line: String, in log: FilePath) {
      do throws(SystemError) {
        let file = try Descriptor.open(log, [.writeOnly, .create, .append])
        try file.write(Array("\(line)\n".utf8))
      } catch {
        // Who counts the lines finds one too few.
        StandardError.write("\(error)\n")
      }
    }
  }
}
