package import Foundation
package import LinuxSystem
import VersionStore

extension NSError {
  /// A failed system call as Foundation's calls report one.
  package static func file(
    _ error: SystemError,
    at url: URL?,
    isWriting: Bool,
    _ message: String? = nil
  ) -> NSError {
    let code: CocoaError.Code =
      switch error.code {
      case .noEntry, .notDirectory: isWriting ? .fileNoSuchFile : .fileReadNoSuchFile
      case .permissionDenied, .notPermitted:
        isWriting ? .fileWriteNoPermission : .fileReadNoPermission
      case .alreadyExists: .fileWriteFileExists
      case .noSpace, .quotaExceeded: .fileWriteOutOfSpace
      case .readOnlyFileSystem: .fileWriteVolumeReadOnly
      case .nameTooLong: isWriting ? .fileWriteInvalidFileName : .fileReadInvalidFileName
      default: isWriting ? .fileWriteUnknown : .fileReadUnknown
      }
    var info: [String: Any] = [
      NSUnderlyingErrorKey: NSError(
        domain: NSPOSIXErrorDomain,
        code: Int(error.code.rawValue),
        userInfo: [NSLocalizedDescriptionKey: error.description]
      ),
      NSLocalizedDescriptionKey: message ?? error.description,
    ]
    if let url {
      info[NSURLErrorKey] = url
      info[NSFilePathErrorKey] = url.path
    }
    return NSError(domain: NSCocoaErrorDomain, code: code.rawValue, userInfo: info)
  }
}

extension VersionStoreError {
  func nsError(at url: URL?, isWriting: Bool) -> NSError {
    if code == .noVersion {
      var info: [String: Any] = [NSLocalizedDescriptionKey: description]
      info[NSURLErrorKey] = url
      return NSError(
        domain: NSCocoaErrorDomain,
        code: CocoaError.Code.fileReadNoSuchFile.rawValue,
        userInfo: info
      )
    }
    return .file(
      cause ?? SystemError("sqlite3_step", .inputOutput),
      at: url,
      isWriting: isWriting,
      description
    )
  }
}
