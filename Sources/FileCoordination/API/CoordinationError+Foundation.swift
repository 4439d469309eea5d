public import Foundation
import LinuxSystem

extension CoordinationError {
  /// The code in `NSCocoaErrorDomain` under which the calls of Apple's shape report this failure.
  public var cocoaCode: CocoaError.Code {
    switch code {
    case .cancelled: .userCancelled
    case .itemUnreachable: unreachableCode
    default: isWriting ? .fileWriteUnknown : .fileReadUnknown
    }
  }

  /// The failure as the calls of Apple's shape report it.
  ///
  /// An error that a presenter or a provider answered with is passed on as it was: domain, code and
  /// user info.
  public var nsError: NSError {
    if code == .presenterRefused || code == .providerFailed, let cause { return cause as NSError }
    var info: [String: Any] = [NSURLErrorKey: url, NSLocalizedDescriptionKey: message]
    if url.isFileURL { info[NSFilePathErrorKey] = url.path }
    if let number = posixCode {
      info[NSUnderlyingErrorKey] = NSError(
        domain: NSPOSIXErrorDomain,
        code: Int(number.rawValue),
        userInfo: [NSLocalizedDescriptionKey: message]
      )
    } else if let cause {
      info[NSUnderlyingErrorKey] = cause as NSError
    }
    return NSError(domain: NSCocoaErrorDomain, code: cocoaCode.rawValue, userInfo: info)
  }

  private var unreachableCode: CocoaError.Code {
    guard url.isFileURL else {
      return isWriting ? .fileWriteUnsupportedScheme : .fileReadUnsupportedScheme
    }
    return switch (cause as? SystemError)?.code {
    case .noEntry: isWriting ? .fileNoSuchFile : .fileReadNoSuchFile
    case .permissionDenied, .notPermitted:
      isWriting ? .fileWriteNoPermission : .fileReadNoPermission
    case .nameTooLong: isWriting ? .fileWriteInvalidFileName : .fileReadInvalidFileName
    default: isWriting ? .fileWriteUnknown : .fileReadUnknown
    }
  }

  private var posixCode: Errno? {
    switch code {
    case .timedOut, .presenterSilent: .timedOut
    case .wouldDeadlock: .deadlock
    default: (cause as? SystemError)?.code
    }
  }
}
