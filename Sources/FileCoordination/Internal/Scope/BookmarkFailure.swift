import Foundation
import LinuxSystem

/// Why a bookmark could not be made or resolved, with the codes that clients know.
enum BookmarkFailure {
  case noItem, notFound, noPermission, scope, damaged, notForFiles

  private var code: CocoaError.Code {
    switch self {
    case .noItem: .fileReadNoSuchFile
    case .notFound: .fileNoSuchFile
    case .noPermission: .fileReadNoPermission
    case .scope: .fileReadUnknown
    case .damaged: .fileReadCorruptFile
    case .notForFiles: .fileWriteUnknown
    }
  }

  func error(_ url: URL?, _ sentence: String, _ cause: SystemError? = nil) -> CocoaError {
    var info: [String: Any] = [NSLocalizedDescriptionKey: sentence]
    if let url {
      info[NSURLErrorKey] = url
      info[NSFilePathErrorKey] = url.path
    }
    if let cause {
      info[NSUnderlyingErrorKey] = NSError(
        domain: NSPOSIXErrorDomain,
        code: Int(cause.code.rawValue),
        userInfo: [NSLocalizedDescriptionKey: cause.description]
      )
    }
    return CocoaError(code, userInfo: info)
  }

  /// What a failed look at the item of a new bookmark means.
  static func making(_ url: URL, _ cause: SystemError) -> CocoaError {
    let kind: BookmarkFailure =
      switch cause.code {
      case .noEntry, .notDirectory: .noItem
      case .permissionDenied, .notPermitted: .noPermission
      default: .scope
      }
    return kind.error(url, "no bookmark of “\(url.lastPathComponent)” was made: \(cause)", cause)
  }
}
