import FileCoordination
import Foundation
import LinuxSystem

/// Presents a file and answers nothing in particular, until its input ends.
enum PresentingOnly {
  private final class Presenter: NSObject, NSFilePresenter {
    let presentedItemURL: URL?
    let presentedItemOperationQueue = OperationQueue()
    init(_ url: URL) { presentedItemURL = url }
  }

  static func run(_ file: String) -> Never {
    let presenter = Presenter(URL(fileURLWithPath: file))
    NSFileCoordinator.addFilePresenter(presenter)
    say("presenting")
    while readLine() != nil {}
    NSFileCoordinator.removeFilePresenter(presenter)
    Environment.exit(0)
  }
}
