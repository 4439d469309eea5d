public import Foundation
import LinuxSystem

/// What a confined program may touch.
///
/// The program gets: its container, to read and write; the system's programs and libraries, and
/// ``readable``, to read and run; the runtime directory of file coordination, so that it and ordinary
/// programs exclude each other (it can learn the names of claimed and presented paths there, and it
/// could break the locks); /proc, without the memory and the environment of other programs; a few
/// devices. It may use the network.
public struct Sandbox: Sendable {
  /// How documents come in that the user chose.
  public enum Documents: Sendable, Hashable {
    /// Through the document portal: files have paths, and can be saved safely.
    case portal
    /// As descriptors only, which the broker opens: no session bus, no FUSE.
    case descriptors
  }

  /// Which application it is, as `org.example.App`: grants and bookmarks are for it alone.
  public var application: String
  /// Where its own files lie: its home and temporary directory.
  ///
  /// Made where it is missing.
  public var container: URL
  /// How documents come in.
  public var documents: Documents = .portal
  /// More that it may read and run.
  public var readable: [URL] = []
  /// Variables beside those that the sandbox sets.
  public var environment: [String: String] = [:]
  /// Where the bus is on which the document portal is; nil: the session's.
  public var busAddress: String?

  /// A sandbox for an application with its own files in a directory.
  public init(application: String, container: URL) {
    self.application = application
    self.container = container
  }

  /// Names with two parts at least, of letters, digits, `_` and `-`: what the portals take.
  var isNamedWell: Bool {
    let parts = application.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 2 && application.utf8.count <= 255
      && parts.allSatisfy { part in
        guard let first = part.first, !first.isNumber else { return false }
        return part.unicodeScalars.allSatisfy {
          $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || $0 == "-" || "0"..."9" ~= $0)
        }
      }
  }

  /// Places that every program needs; those that are missing are left out.
  static let systemPlaces: [(String, LandlockRules.Rights)] = [
    ("/usr", .running), ("/lib", .running), ("/lib64", .running), ("/bin", .running),
    ("/etc", .reading), ("/opt/swift", .running), ("/proc", .reading),
    ("/sys/devices/system/cpu", .reading),
    ("/dev/null", [.readFile, .writeFile]), ("/dev/zero", .readFile),
    ("/dev/urandom", .readFile), ("/dev/random", .readFile), ("/dev/tty", [.readFile, .writeFile]),
    ("/run/systemd/resolve", .reading),
  ]
}
