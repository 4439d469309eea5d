import Foundation
import Fuse

/// Whether file systems of users can be mounted on this machine.
struct FuseAvailability {
  var device = "/dev/fuse"
  var helper = "fusermount3"
  /// Where programs are searched.
  var directories: [String] = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map(String.init) + ["/usr/bin", "/bin"]
  }()
  /// Who may mount without help.
  var isSuperuser = CurrentUser.isSuperuser

  func check() throws(MountError) {
    do throws(SystemErrno) { try Device.open(device) } catch { throw .noDevice(error) }
    if isSuperuser { return }
    let isThere = directories.contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(helper)")
    }
    if !isThere { throw .noHelper }
  }
}
