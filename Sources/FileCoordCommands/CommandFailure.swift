import CoordinationRuntime
import DocumentInteraction
import FileCoordination
import Foundation
import LinuxSystem
import SourceAttribute
import VersionStore

/// Why the command ends without having done what it was asked to: one line for people, one number.
struct CommandFailure: Error, Sendable, CustomStringConvertible {
  let status: ExitStatus
  let description: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    description = message
  }

  /// Interrupted by a signal; nothing more is said.
  static func interrupted(by signal: Signal) -> CommandFailure {
    CommandFailure(.signalled(signal.rawValue), "interrupted")
  }

  /// What an error number means where nothing was to be made.
  private static func status(_ code: Errno) -> ExitStatus {
    switch code {
    case .noEntry, .notDirectory: .noSuchItem
    case .permissionDenied, .notPermitted: .notPermitted
    default: .failure
    }
  }

  /// What a failure of Foundation's means.
  private init(_ error: CocoaError) {
    let status: ExitStatus =
      switch error.code {
      case .fileNoSuchFile, .fileReadNoSuchFile: .noSuchItem
      case .fileReadNoPermission, .fileWriteNoPermission: .notPermitted
      default: .failure
      }
    self.init(status, error.localizedDescription)
  }

  /// What a failed system call means.
  ///
  /// A failure that has no status of its own gets `otherwise`.
  init(_ error: SystemError, _ doing: String? = nil, otherwise: ExitStatus = .failure) {
    var status = Self.status(error.code)
    if status == .failure || (status == .noSuchItem && otherwise == .cannotCreate) {
      status = otherwise
    }
    self.init(status, doing.map { "\($0): \(error.reason)" } ?? "\(error)")
  }

  /// What a failed coordination means.
  init(_ error: CoordinationError) {
    let cause = (error.cause as? SystemError)?.code
    let status: ExitStatus =
      switch error.code {
      case .timedOut, .presenterSilent: .timeLimit
      case .cancelled: .signalled(Signal.interrupt.rawValue)
      case .itemUnreachable where cause == .noEntry || cause == .notDirectory: .noSuchItem
      default:
        cause == .permissionDenied || cause == .notPermitted ? .notPermitted : .failure
      }
    self.init(status, error.message)
  }

  /// Any error, as the command reports it.
  init(reporting error: any Error) {
    switch error {
    case let error as CommandFailure: self = error
    case let error as SystemError: self.init(error)
    case let error as CoordinationError: self.init(error)
    case let error as CocoaError: self.init(error)
    case let error as DocumentInteractionError:
      let status = (error.cause as? SystemError).map { CommandFailure($0).status }
      self.init(status ?? .failure, error.message)
    case let error as DocumentSourceError:
      self.init(Self.status(Errno(rawValue: error.systemErrorNumber)), error.description)
    case let error as VersionStoreError:
      self.init(error.cause.map { Self.status($0.code) } ?? .failure, error.description)
    case let error as RuntimeDirectoryError:
      let code = error.cause?.code
      let status: ExitStatus =
        code == .permissionDenied || code == .notPermitted ? .notPermitted : .failure
      self.init(status, "\(error)")
    default: self.init(.failure, error.localizedDescription)
    }
  }
}
