import CLinux
import Glibc

extension Descriptor {
  /// A descriptor that is readable once a process has ended, ours or not.
  ///
  /// - Throws: ESRCH where it is gone already.
  /// - SeeAlso: pidfd_open(2)
  package static func process(_ pid: Int32) throws(SystemError) -> Descriptor {
    Descriptor(owning: try systemCall("pidfd_open") { cl_pidfd_open(pid) })
  }
}
