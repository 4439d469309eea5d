import DesktopPortal
import LinuxSystem

/// Why a program could not be started in a sandbox, or not be given a file.
public enum SandboxError: Error, Sendable, CustomStringConvertible {
  /// The kernel cannot confine: Landlock is missing or switched off.
  case noLandlock(String)
  /// There is no document portal, or no session bus to reach it by.
  case noDocumentPortal(String)
  /// The document portal cannot show files: FUSE is missing.
  case noFUSE(String)
  /// The sandbox's description cannot be used.
  case invalid(String)
  /// The program could not be started.
  case cannotStart(String)
  /// The file could not be given.
  case cannotGrant(String)

  /// What was tried, what is missing, and where there is one, the remedy.
  public var description: String {
    switch self {
    case .noLandlock(let text), .noDocumentPortal(let text), .noFUSE(let text),
      .invalid(let text), .cannotStart(let text), .cannotGrant(let text):
      text
    }
  }

  init(landlock error: SystemError) {
    let why =
      switch error.code {
      case .noSystemCall: "the kernel was built without Landlock, or is older than 5.13"
      case .notSupported: "Landlock was switched off when the kernel was started (lsm=)"
      default: "\(error)"
      }
    self = .noLandlock("programs cannot be confined on this machine: \(why)")
  }

  init(portal error: PortalError) {
    switch error {
    case .missing(let text) where text.contains("FUSE"):
      self = .noFUSE("documents cannot be shown to a confined program: \(text)")
    default:
      self = .noDocumentPortal("documents cannot be shown to a confined program: \(error)")
    }
  }
}
