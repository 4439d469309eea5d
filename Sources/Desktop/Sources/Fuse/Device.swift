import Glibc

/// The kernel's end of FUSE.
public enum Device {
  /// Opens it as mounting will, and closes it again.
  public static func open(_ path: String) throws(SystemErrno) {
    _ = OpenFile(owning: try check { unsafe Glibc.open(path, O_RDWR | O_CLOEXEC) })
  }
}

/// Who runs this program.
public enum CurrentUser {
  /// Whether it may mount without help.
  public static var isSuperuser: Bool { geteuid() == 0 }
  /// Lets this process have as many files open as it may: each file that others have open is one here.
  public static func raiseFileLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
  /// The permissions that its new files do not get; looked at once, since looking changes it.
  public static let mask: UInt32 = {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()
}
