public import Foundation
import LinuxSystem

/// Ours: what this process says about itself where access to files is concerned.
public enum FileScope {
  private static let identifier = Mutex<String?>(nil)
  private static let roots = Mutex<[URL]>([])

  /// Which application this is: bookmarks with security scope are for it alone.
  ///
  /// The main bundle's identifier, or the program's name, unless set; in a sandbox, the sandbox's.
  public static var applicationIdentifier: String {
    get {
      identifier.withLock { $0 } ?? confinedAs ?? ofProgram
    }
    set { identifier.withLock { $0 = newValue } }
  }

  /// What a sandbox says that this is.
  private static let confinedAs: String? = Environment.value(of: BrokerMessage.applicationVariable)
    .flatMap { $0.count > 0 ? $0.string : nil }

  /// What the program says that it is; Foundation looks that up anew each time.
  private static let ofProgram: String =
    Bundle.main.bundleIdentifier ?? Bundle.main.executableURL?.lastPathComponent
    ?? ProcessInfo.processInfo.processName

  /// Directories in which the item of a bookmark is searched that is not where it was; none at first.
  public static var searchRoots: [URL] {
    get { roots.withLock { $0 } }
    set { roots.withLock { $0 = newValue } }
  }
}
