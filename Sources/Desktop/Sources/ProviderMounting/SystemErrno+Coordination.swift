import FileCoordination
import Foundation
import Fuse

extension SystemErrno {
  /// What a program that opens a file gets for what kept an access from happening.
  init(_ error: any Error) {
    switch error {
    case let error as SystemErrno: self = error
    case let error as CoordinationError: self.init(coordination: error)
    default: self.init(foundation: error as NSError)
    }
  }

  private init(coordination error: CoordinationError) {
    switch error.code {
    case .cancelled: self = .interrupted
    case .timedOut: self = .timedOut
    case .wouldDeadlock: self = .deadlock
    case .presenterSilent: self = .busy
    case .outOfResources: self = .again
    case .providerFailed, .presenterRefused, .itemUnreachable:
      self.init(foundation: error.nsError)
    default: self = .inputOutput
    }
  }

  /// Of what a provider says, only what every program understands.
  private init(foundation error: NSError, depth: Int = 0) {
    switch (error.domain, error.code) {
    case (NSPOSIXErrorDomain, 1...Int(Self.largest)): self.init(Int32(error.code))
    case (NSCocoaErrorDomain, let code):
      switch CocoaError.Code(rawValue: code) {
      case .fileNoSuchFile, .fileReadNoSuchFile: self = .noEntry
      case .fileReadNoPermission, .fileWriteNoPermission: self = .permissionDenied
      case .fileWriteOutOfSpace: self = .noSpace
      case .fileWriteVolumeReadOnly: self = .readOnly
      case .fileWriteFileExists: self = .exists
      default:
        if depth < 4, let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError {
          self.init(foundation: cause, depth: depth + 1)
        } else {
          self = .inputOutput
        }
      }
    case (NSURLErrorDomain, NSURLErrorNotConnectedToInternet),
      (NSURLErrorDomain, NSURLErrorCannotConnectToHost),
      (NSURLErrorDomain, NSURLErrorCannotFindHost):
      self = .networkUnreachable
    case (NSURLErrorDomain, NSURLErrorTimedOut): self = .timedOut
    default: self = .inputOutput
    }
  }
}
