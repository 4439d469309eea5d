import CLinux
import Glibc

extension FileSystem {
  /// Copies an item, with all it holds, to a name that does not exist yet.
  ///
  /// Contents are shared where the file system can (reflink), else copied. Links stay links. Modes,
  /// modification times and the attributes of users go along; owners as far as this process may, which
  /// is no failure. Pipes, sockets and devices are left out.
  /// - SeeAlso: ioctl_ficlonerange(2), copy_file_range(2)
  package static func duplicate(_ source: FilePath, to target: FilePath) throws(SystemError) {
    let status = try FileStatus(of: source)
    switch status.kind {
    case .link:
      try makeLink(target, to: try readLink(source))
      setLinkAttributes(target, like: status)
    case .regular:
      try duplicateFile(source, to: target)
    case .directory:
      try makeDirectory(target, mode: 0o700)
      for name in try list(source) {
        try duplicate(source.appending(name), to: target.appending(name))
      }
      let from = try Descriptor.open(source, [.readOnly, .directory, .noFollow])
      let to = try Descriptor.open(target, [.readOnly, .directory, .noFollow])
      from.copyUserAttributes(to: to)
      _ = to.setOwner(status.owner, group: status.group)
      try to.setPermissions(status.permissions)
      try to.setModified(status.modified)
    case .other:
      break
    }
  }

  private static func duplicateFile(_ source: FilePath, to target: FilePath) throws(SystemError) {
    let from = try Descriptor.open(source, [.readOnly, .noFollow, .nonBlocking])
    let status = try FileStatus(of: from)
    let to = try Descriptor.open(target, [.writeOnly, .create, .exclusive])
    if cl_clone(to.number, from.number) != 0 {
      _ = try from.copyContents(to: to) { true }
    }
    from.copyUserAttributes(to: to)
    _ = to.setOwner(status.owner, group: status.group)
    try to.setPermissions(status.permissions & 0o777)
    try to.setModified(status.modified)
  }

  /// Flushes an item, with all it holds, to the device: leaves first.
  ///
  /// Files with a second name are left out if there is an `old` tree, on the same file system: they were
  /// there before.
  /// - SeeAlso: fsync(2)
  package static func synchronizeTree(_ path: FilePath, sharingWith old: FilePath? = nil)
    throws(SystemError)
  {
    try synchronizeTree(path, at: AT_FDCWD, old.map { (AT_FDCWD, $0) })
  }

  private static func synchronizeTree(
    _ name: FilePath,
    at directory: CInt,
    _ old: (directory: CInt, name: FilePath)?
  ) throws(SystemError) {
    let status = try FileStatus(of: name, at: directory)
    switch status.kind {
    case .regular:
      if old != nil, status.links > 1 { return }
      // A file that its owner may not read is opened for writing: fsync asks for neither.
      try openForSynchronizing(name, at: directory).synchronize()
    case .directory:
      let inner = try Descriptor.open(name, [.readOnly, .directory, .noFollow], at: directory)
      // What is also in the old directory need not be looked at one by one.
      let before = old.flatMap { (old) -> SharedDescriptor? in
        let options: OpenOptions = [.readOnly, .directory, .noFollow]
        // A directory that is new was nowhere before: its files are looked at one by one.
        guard let directory = try? Descriptor.open(old.name, options, at: old.directory) else {
          return nil
        }
        return SharedDescriptor(directory)
      }
      let shared = before.map { inodes(in: $0.number) } ?? []
      let listing = try DirectoryListing(of: inner.number)
      var rest: [FilePath] = []
      listing.forEach { entry in
        if entry.kind == .link || (entry.kind == .regular && shared.contains(entry.inode)) {
          return
        }
        rest.append(FilePath(bytes: listing.bytes[entry.name]))
      }
      for name in rest {
        try synchronizeTree(name, at: inner.number, old.map { _ in (before?.number ?? -1, name) })
      }
      try inner.synchronize()
    case .link, .other: break
    }
  }

  /// The numbers of the files in a directory; none if it cannot be listed.
  private static func inodes(in directory: CInt) -> Set<UInt64> {
    var inodes: Set<UInt64> = []
    (try? DirectoryListing(of: directory))?.forEach { inodes.insert($0.inode) }
    return inodes
  }

  private static func openForSynchronizing(_ name: FilePath, at directory: CInt)
    throws(SystemError) -> Descriptor
  {
    do throws(SystemError) {
      return try Descriptor.open(name, [.readOnly, .noFollow, .nonBlocking], at: directory)
    } catch  where error.code == .permissionDenied {
      return try Descriptor.open(name, [.writeOnly, .noFollow, .nonBlocking], at: directory)
    }
  }

  /// Whether this process may make and remove names in a directory, as far as permissions say.
  ///
  /// - SeeAlso: faccessat(2)
  package static func mayChangeNames(in directory: FilePath) -> Bool {
    unsafe directory.withCString { unsafe faccessat(AT_FDCWD, $0, W_OK | X_OK, AT_EACCESS) } == 0
  }
}

extension Descriptor {
  /// Gives `target` this file's extended attributes, but none by which the kernel trusts contents.
  ///
  /// What belongs to users goes along, labels and access control lists too; capabilities and signatures
  /// (`security.capability`, `security.ima`, `security.evm`) speak of the old contents and do not.
  /// Attributes that may not be set there are left out.
  /// - SeeAlso: flistxattr(2)
  package borrowing func copyUserAttributes(to target: borrowing Descriptor) {
    let (source, sink) = (number, target.number)
    var names = [CChar](repeating: 0, count: 65536)
    let length = unsafe flistxattr(source, &names, names.count)
    guard length > 0 else { return }
    var value = [UInt8](repeating: 0, count: 65536)
    for name in names.prefix(length).split(separator: 0) {
      let text = String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if ["security.capability", "security.ima", "security.evm"].contains(text) { continue }
      let name = Array(name) + [0]
      let size = unsafe fgetxattr(source, name, &value, value.count)
      if size >= 0 { _ = unsafe fsetxattr(sink, name, value, size, 0) }
    }
  }

  /// Sets an extended attribute of the open file.
  ///
  /// - SeeAlso: fsetxattr(2)
  package borrowing func setAttribute(_ name: String, to value: [UInt8]) throws(SystemError) {
    let number = number
    _ = try systemCall("fsetxattr") {
      unsafe value.withUnsafeBytes { unsafe fsetxattr(number, name, $0.baseAddress, $0.count, 0) }
    }
  }
}
