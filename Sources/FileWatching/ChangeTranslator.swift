import Foundation
import LinuxSystem

/// Makes public changes of one watch's events: those about the item itself need its path.
final class ChangeTranslator: Sendable {
  /// Made once: a URL costs more than all else that a write in place costs.
  private let root: Mutex<URL>

  init(_ root: FilePath) { self.root = Mutex(root.watchedURL) }

  func change(_ event: ChangeEvent) -> FileChange {
    switch event {
    case .itemChanged, .itemAttributesChanged: .changed(rootURL)
    case .itemDeleted: .deleted(rootURL)
    case .itemReturned: .appeared(rootURL)
    case .itemMoved(let path):
      .moved(
        from: root.withLock { root in
          defer { root = path.watchedURL }
          return root
        },
        to: path.watchedURL
      )
    case .subitemAppeared(let path): .appeared(path.watchedURL)
    case .subitemChanged(let path): .changed(path.watchedURL)
    case .subitemDeleted(let path): .deleted(path.watchedURL)
    case .subitemMoved(let from, let to): .moved(from: from.watchedURL, to: to.watchedURL)
    case .becameDegraded(let reason): .degraded(reason: reason)
    case .recovered: .recovered
    }
  }

  private var rootURL: URL { root.withLock { $0 } }
}

extension FilePath {
  /// The path that a URL to be watched names.
  init(watching url: URL) throws(FileWatchingError) {
    guard url.isFileURL, let path = FilePath(ofFileURL: url.absoluteString), path.isAbsolute else {
      throw .notAFile(url)
    }
    self = path
  }

  /// A file URL that gives back the same bytes.
  var watchedURL: URL {
    if let string { return URL(filePath: string, directoryHint: .notDirectory) }
    // Only unreserved characters and complete escapes are in the text.
    return URL(string: fileURLText(isDirectory: false)) ?? URL(filePath: description)
  }
}
