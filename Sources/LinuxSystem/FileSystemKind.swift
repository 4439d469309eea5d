import CLinux
import Glibc

/// Kinds of file system where changes can be made that this kernel does not see being made.
///
/// - SeeAlso: statfs(2)
package enum FileSystemKind: String, Sendable {
  case nfs = "NFS"
  case smb = "SMB"
  case fuse = "FUSE"
  case ninep = "9P"
  case ceph = "Ceph"
  case afs = "AFS"
  case coda = "Coda"
  case ocfs = "OCFS2"
  case gfs = "GFS2"
  case virtualBox = "VirtualBox shared folder"

  /// The kind behind an open descriptor; nil for those whose changes are all made here.
  package init?(of descriptor: CInt) {
    var s = statfs()
    guard unsafe fstatfs(descriptor, &s) == 0 else { return nil }
    switch UInt32(truncatingIfNeeded: s.f_type) {
    case 0x6969: self = .nfs
    case 0xff53_4d42, 0xfe53_4d42, 0x517b: self = .smb
    case 0x6573_5546: self = .fuse
    case 0x0102_1997: self = .ninep
    case 0x00c3_6400: self = .ceph
    case 0x5346_414f, 0x6b41_4653: self = .afs
    case 0x7375_7245: self = .coda
    case 0x7461_636f: self = .ocfs
    case 0x0116_1970: self = .gfs
    case 0x786f_4256: self = .virtualBox
    default: return nil
    }
  }
}
