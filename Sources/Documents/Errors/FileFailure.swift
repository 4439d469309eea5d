import Foundation
import LinuxSystem

/// Makes the errors that leave this module: codes of `NSCocoaErrorDomain`, and a sentence.
enum FileFailure {
  /// A system call failed while an item was read.
  static func reading(_ url: URL, _ cause: SystemError, _ what: String? = nil) -> CocoaError {
    let what = what ?? "could not be read"
    return make(readingCode(cause.code), url, "“\(name(url))” \(what): \(cause)", cause)
  }

  /// A system call failed while an item was written.
  static func writing(_ url: URL, _ cause: SystemError, _ what: String? = nil) -> CocoaError {
    let what = what ?? "could not be written"
    return make(writingCode(cause.code), url, "“\(name(url))” \(what): \(cause)", cause)
  }

  /// Something other than a system call stood in the way.
  static func make(
    _ code: CocoaError.Code,
    _ url: URL,
    _ sentence: String,
    _ cause: SystemError? = nil
  ) -> CocoaError {
    var info: [String: Any] = [NSURLErrorKey: url, NSLocalizedDescriptionKey: sentence]
    if url.isFileURL { info[NSFilePathErrorKey] = url.path }
    if let cause {
      info[NSUnderlyingErrorKey] = NSError(
        domain: NSPOSIXErrorDomain,
        code: Int(cause.code.rawValue),
        userInfo: [NSLocalizedDescriptionKey: cause.description]
      )
    }
    return CocoaError(code, userInfo: info)
  }

  private static func name(_ url: URL) -> String { url.lastPathComponent }

  private static func readingCode(_ code: Errno) -> CocoaError.Code {
    switch code {
    case .noEntry, .notDirectory: .fileReadNoSuchFile
    case .permissionDenied, .notPermitted: .fileReadNoPermission
    case .nameTooLong: .fileReadInvalidFileName
    default: .fileReadUnknown
    }
  }

  private static func writingCode(_ code: Errno) -> CocoaError.Code {
    switch code {
    case .noEntry, .notDirectory: .fileNoSuchFile
    case .permissionDenied, .notPermitted: .fileWriteNoPermission
    case .readOnlyFileSystem: .fileWriteVolumeReadOnly
    case .noSpace, .quotaExceeded: .fileWriteOutOfSpace
    case .alreadyExists, .directoryNotEmpty: .fileWriteFileExists
    case .nameTooLong: .fileWriteInvalidFileName
    default: .fileWriteUnknown
    }
  }
}
