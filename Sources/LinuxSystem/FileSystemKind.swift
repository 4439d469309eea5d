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
  /// /proc and the like: the kernel's own numbers, which change without being written.
  case kernels = "the kernel's own file system"
  /// An overlay of which a layer is one of the above.
  case overlay = "an overlay over a file system that is served elsewhere"
  /// One that reports not even what was done through it.
  case silent = "this file system"

  /// Whether the kernel reports what is changed, by the kind of file system.
  package enum Answer: Sendable {
    case reported
    case notReported(FileSystemKind)
    /// A kind that is not known here.
    case unknown
  }

  /// What is known of the file system behind an open descriptor.
  package static func answer(of descriptor: CInt) -> Answer {
    var s = statfs()
    // What cannot be asked is found out by trying.
    guard unsafe fstatfs(descriptor, &s) == 0 else { return .unknown }
    let type = UInt32(truncatingIfNeeded: s.f_type)
    if let kind = remote(type) { return .notReported(kind) }
    if type == 0x794c_7630 {
      return OverlayLayers.areServedElsewhere(descriptor) ? .notReported(.overlay) : .reported
    }
    return local.contains(type) ? .reported : .unknown
  }

  private static func remote(_ type: UInt32) -> FileSystemKind? {
    switch type {
    case 0x6969: .nfs
    case 0xff53_4d42, 0xfe53_4d42, 0x517b: .smb
    case 0x6573_5546: .fuse
    case 0x0102_1997: .ninep
    case 0x00c3_6400: .ceph
    case 0x5346_414f, 0x6b41_4653: .afs
    case 0x7375_7245: .coda
    case 0x7461_636f: .ocfs
    case 0x0116_1970: .gfs
    case 0x786f_4256: .virtualBox
    // proc, sysfs, cgroup, cgroup2, debugfs, tracefs, securityfs, bpf
    case 0x9fa0, 0x6265_6572, 0x0027_e0eb, 0x6367_7270, 0x6462_6720, 0x7472_6163, 0x7363_6673,
      0xcafe_4a11:
      .kernels
    default: nil
    }
  }

  /// ext2 to 4, XFS, Btrfs, tmpfs, ramfs, F2FS, ZFS, bcachefs, FAT, exFAT, NTFS, ISO 9660, UDF,
  /// SquashFS, EROFS, JFS, ReiserFS, NILFS: all changes go through this kernel.
  private static let local: Set<UInt32> = [
    0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x8584_58f6, 0xf2f5_2010, 0x2fc1_2fc1,
    0xca45_1a4e, 0x4d44, 0x2011_bab0, 0x7366_746e, 0x9660, 0x1501_3346, 0x7371_7368, 0xe0f5_e1e2,
    0x3153_464a, 0x5265_4973, 0x3434,
  ]

  /// What the kernel does not tell, as a sentence.
  package var gap: String {
    switch self {
    case .kernels: "\(rawValue) does not report what the kernel changes"
    case .silent: "\(rawValue) does not report changes at all"
    default: "\(rawValue) does not report what is changed behind it, as by other machines"
    }
  }
}
