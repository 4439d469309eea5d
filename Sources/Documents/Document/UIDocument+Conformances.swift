public import Foundation

extension ProgressReporting where Self: UIDocument {
  /// What the protocol asks for; a document that is idle reports that it is done.
  public var progress: Progress { core.with { Handed($0.progress) }.value ?? Self.idle }

  private static var idle: Progress {
    let progress = Progress(totalUnitCount: 1)
    progress.completedUnitCount = 1
    return progress
  }
}

extension UIDocument: ProgressReporting {}
extension UIDocument: UIUserActivityRestoring {}

extension UIDocument {
  /// Says where a document goes that has changes and lies where nothing can be written; nil: the save
  /// fails.
  ///
  /// Called on the file access queue with the document's URL. The place must be free. Afterwards
  /// ``didMoveToWritableLocationNotification`` is posted.
  /// - Note: Not in Apple's interface, where the system chooses.
  public var writableLocationProvider: (@Sendable (URL) -> URL?)? {
    get { core.with { $0.writableLocation } }
    set { core.with { $0.writableLocation = newValue } }
  }
}
