public import Foundation
import SourceAttribute

/// Which icon of the providing application is wanted.
public enum XDSDocumentSourceAttributeIconType: Int, Sendable {
  /// 29 by 29 points, as lists show it.
  case spotlight = 0

  var points: Int { 29 }
}

/// Which application a document came from, in the spelling of the published class.
///
/// See `DocumentSourceAttribute` for the form that says why something failed. May be used from any
/// thread, because a lock guards all state.
public final class XDSDocumentSourceAttribute: NSObject, @unchecked Sendable {
  private let lock = NSLock()
  private var attribute: DocumentSourceAttribute

  init(_ attribute: DocumentSourceAttribute) { self.attribute = attribute }

  /// A value that carries nothing yet.
  public override convenience init() { self.init(DocumentSourceAttribute()) }

  /// A value for writing.
  ///
  /// Symbol: -initWithBundleIdentifier:applicationName:documentPath:appInfoURL:
  public convenience init(
    bundleIdentifier: String?,
    applicationName: String?,
    documentPath: String?,
    appInfoURL: URL?
  ) {
    self.init(
      DocumentSourceAttribute(
        bundleIdentifier: bundleIdentifier,
        applicationName: applicationName,
        documentPath: documentPath,
        appInfoURL: appInfoURL
      )
    )
  }

  /// The providing application, as `com.appliedphasor.working-copy`.
  public var bundleIdentifier: String? {
    get { lock.withLock { attribute.bundleIdentifier } }
    set { lock.withLock { attribute.bundleIdentifier = newValue } }
  }
  /// What people call it.
  public var applicationName: String? {
    get { lock.withLock { attribute.applicationName } }
    set { lock.withLock { attribute.applicationName = newValue } }
  }
  /// The document's path within it.
  public var documentPath: String? {
    get { lock.withLock { attribute.documentPath } }
    set { lock.withLock { attribute.documentPath = newValue } }
  }
  /// Where a JSON file tells of its icons.
  public var appInfoURL: URL? {
    get { lock.withLock { attribute.appInfoURL } }
    set { lock.withLock { attribute.appInfoURL = newValue } }
  }

  /// What a file carries; nil where it carries nothing, or nothing that can be read.
  ///
  /// Blocks for two system calls.
  ///
  /// Symbol: +readDocumentSourceAttributeAtURL:
  public class func readDocumentSourceAttribute(at fileURL: URL) -> XDSDocumentSourceAttribute? {
    // The published class does not say why; `DocumentSourceAttribute.read(from:)` does.
    (try? DocumentSourceAttribute.read(from: fileURL)).flatMap { $0 }
      .map(XDSDocumentSourceAttribute.init)
  }

  /// Gives it to a file or a folder; false where that failed.
  ///
  /// Blocks for two system calls. Values that are nil are left out.
  ///
  /// Symbol: -writeToURL:
  @discardableResult
  public func write(to fileURL: URL) -> Bool {
    let attribute = lock.withLock { self.attribute }
    do {
      try attribute.write(to: fileURL)
      return true
    } catch { return false }  // `DocumentSourceAttribute.write(to:)` says why
  }

  /// Loads the icon that fits best, from the cache or from where ``appInfoURL`` leads.
  ///
  /// Blocks nothing; the handler runs on a queue of its own, exactly once: with an icon, or with an
  /// error, or with neither where the application names no icon that is large enough.
  ///
  /// Symbol: -loadIcon:withCompletionHandler:
  public func loadIcon(
    _ iconType: XDSDocumentSourceAttributeIconType,
    scale: Double = 1,
    withCompletionHandler completionHandler:
      @escaping @Sendable (DocumentIcon?, (any Error)?) -> Void
  ) {
    let url = appInfoURL
    Task {
      do {
        let icon = try await IconLoader.shared.icon(
          describedAt: url,
          points: iconType.points,
          scale: scale
        )
        completionHandler(icon, nil)
      } catch { completionHandler(nil, error) }
    }
  }
}
