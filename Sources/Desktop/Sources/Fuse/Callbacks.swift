import CFuse
import Glibc

/// The file system behind libfuse's pointer.
final class MountedBox {
  let fileSystem: any MountedFileSystem
  init(_ fileSystem: any MountedFileSystem) { self.fileSystem = fileSystem }
}

/// What libfuse calls, one function per operation; on its threads, many at once.
///
/// A path is NULL where the file is open: then the open file is asked, whatever its name is by now.
enum Callbacks {
  // MARK: open files

  private static func addFiles(_ table: inout fuse_operations) {
    unsafe table.open = { path, info in
      done { () throws(SystemErrno) in
        let info = try unsafe given(info)
        let flags = unsafe OpenFlags(raw: info.pointee.flags)
        unsafe set(try mounted().open(item(path), flags), info)
      }
    }
    unsafe table.create = { path, mode, info in
      done { () throws(SystemErrno) in
        let info = try unsafe given(info)
        let flags = unsafe OpenFlags(raw: info.pointee.flags)
        unsafe set(try mounted().create(item(path), flags, permissions: mode & 0o7777), info)
      }
    }
    unsafe table.release = { _, info in
      guard let item = unsafe opened(info) else { return 0 }
      item.release()
      unsafe Unmanaged.passUnretained(item).release()
      return 0
    }
    unsafe table.read = { _, buffer, size, offset, info in
      answer { () throws(SystemErrno) in
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
        let file = try unsafe needed(info).file
        // What is short is the file's end for the kernel.
        var length = 0
        while length < size {
          let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[length...])
          let count = try unsafe file.read(into: rest, at: offset + off_t(length))
          if count == 0 { break }
          length += count
        }
        return length
      }
    }
    unsafe table.write = { _, buffer, size, offset, info in
      answer { () throws(SystemErrno) in
        let buffer = unsafe UnsafeRawBufferPointer(start: buffer, count: size)
        return try unsafe needed(info).file.write(buffer, at: offset)
      }
    }
    unsafe table.fsync = { _, dataOnly, info in
      done { () throws(SystemErrno) in
        try unsafe needed(info).file.sync(dataOnly: dataOnly != 0)
      }
    }
    unsafe table.fallocate = { _, mode, offset, length, info in
      done { () throws(SystemErrno) in
        try unsafe needed(info).file.allocate(mode, offset, length)
      }
    }
  }

  // MARK: what is known

  private static func addLooking(_ table: inout fuse_operations) {
    unsafe table.getattr = { path, status, info in
      done { () throws(SystemErrno) in
        let found =
          if let opened = unsafe opened(info) { try mounted().status(of: opened) } else {
            try unsafe mounted().status(of: item(path))
          }
        try unsafe given(status).pointee = found.raw
      }
    }
    unsafe table.opendir = { path, info in
      done { () throws(SystemErrno) in
        let directory = unsafe OpenDirectory(item(path))
        try mounted().openDirectory(directory.path)
        let handle = unsafe Unmanaged.passRetained(directory).toOpaque()
        try unsafe given(info).pointee.fh = UInt64(UInt(bitPattern: handle))
      }
    }
    unsafe table.releasedir = { _, info in
      unsafe directory(info)?.release()
      return 0
    }
    unsafe table.readdir = { _, buffer, filler, _, info, _ in
      done { () throws(SystemErrno) in
        let filler = try unsafe given(filler)
        func fill(_ name: UnsafePointer<CChar>) -> CInt {
          unsafe filler(buffer, name, nil, 0, fuse_fill_dir_flags(0))
        }
        guard let path = unsafe directory(info)?.takeUnretainedValue().path else {
          throw SystemErrno(EBADF)
        }
        // Without offsets libfuse keeps the list: each reading of a directory is of one moment.
        for name in [[UInt8(ascii: ".")], Array("..".utf8)]
          + (try mounted().list(path))
        {
          let result = unsafe Folder.withCString(name) { unsafe fill($0) }
          if result != 0 { throw SystemErrno(ENOMEM) }
        }
      }
    }
    unsafe table.readlink = { path, buffer, size in
      done { () throws(SystemErrno) in
        let destination = try unsafe mounted().destination(of: item(path)).prefix(size - 1) + [0]
        unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
          .copyBytes(from: destination)
      }
    }
    unsafe table.statfs = { _, status in
      done { () throws(SystemErrno) in
        try unsafe given(status).pointee = try mounted().folder.fileSystemStatus()
      }
    }
  }

  // MARK: names

  private static func addNames(_ table: inout fuse_operations) {
    unsafe table.mkdir = { path, mode in
      done { () throws(SystemErrno) in
        try unsafe mounted().makeDirectory(item(path), permissions: mode & 0o7777)
      }
    }
    unsafe table.mknod = { path, mode, device in
      done { () throws(SystemErrno) in
        try unsafe mounted().makeNode(item(path), mode: mode, device: UInt64(device))
      }
    }
    unsafe table.symlink = { destination, path in
      done { () throws(SystemErrno) in
        try unsafe mounted().makeLink(item(path), to: bytes(of: given(destination)))
      }
    }
    unsafe table.link = { existing, path in
      done { () throws(SystemErrno) in
        try unsafe mounted().makeName(item(path), for: item(existing))
      }
    }
    unsafe table.unlink = { path in
      done { () throws(SystemErrno) in
        try unsafe mounted().remove(item(path), isDirectory: false)
      }
    }
    unsafe table.rmdir = { path in
      done { () throws(SystemErrno) in
        try unsafe mounted().remove(item(path), isDirectory: true)
      }
    }
    unsafe table.rename = { path, other, flags in
      done { () throws(SystemErrno) in
        try unsafe mounted().rename(item(path), to: item(other), RenameFlags(raw: flags))
      }
    }
  }

  // MARK: attributes

  private static func addAttributes(_ table: inout fuse_operations) {
    unsafe table.truncate = { path, length, info in
      done { () throws(SystemErrno) in
        if let opened = unsafe opened(info) { return try opened.file.setLength(length) }
        try unsafe mounted().setLength(of: item(path), Int64(length))
      }
    }
    unsafe table.chmod = { path, mode, info in
      done { () throws(SystemErrno) in
        if let opened = unsafe opened(info) {
          return try opened.file.setPermissions(mode & 0o7777)
        }
        try unsafe mounted().setPermissions(of: item(path), mode & 0o7777)
      }
    }
    unsafe table.chown = { path, user, group, info in
      done { () throws(SystemErrno) in
        if let opened = unsafe opened(info) { return try opened.file.setOwner(user, group) }
        try unsafe mounted().setOwner(of: item(path), user: user, group: group)
      }
    }
    unsafe table.utimens = { path, times, info in
      done { () throws(SystemErrno) in
        let times = try unsafe given(times)
        let wanted = unsafe FileTimes(accessed: times[0], modified: times[1])
        if let opened = unsafe opened(info) { return try opened.file.setTimes(wanted) }
        try unsafe mounted().setTimes(of: item(path), wanted)
      }
    }
    unsafe table.getxattr = { path, name, buffer, size in
      answer { () throws(SystemErrno) in
        let value = try unsafe mounted().attribute(bytes(of: given(name)), of: item(path))
        return try unsafe give(value, buffer, size)
      }
    }
    unsafe table.listxattr = { path, buffer, size in
      answer { () throws(SystemErrno) in
        try unsafe give(mounted().attributeNames(of: item(path)), buffer, size)
      }
    }
    unsafe table.setxattr = { path, name, value, size, flags in
      done { () throws(SystemErrno) in
        try unsafe mounted().setAttribute(
          bytes(of: given(name)),
          of: item(path),
          Array(UnsafeRawBufferPointer(start: value, count: size)),
          flags: flags
        )
      }
    }
    unsafe table.removexattr = { path, name in
      done { () throws(SystemErrno) in
        try unsafe mounted().removeAttribute(bytes(of: given(name)), of: item(path))
      }
    }
  }

  // MARK: beginning

  static var table: fuse_operations {
    var table = fuse_operations()
    addFiles(&table)
    addLooking(&table)
    addNames(&table)
    addAttributes(&table)
    unsafe table.`init` = { _, configuration in
      if let configuration = unsafe configuration { unsafe configure(&configuration.pointee) }
      // Only a call that libfuse makes for nobody has no context.
      try? mounted().didMount()
      return unsafe fuse_get_context()?.pointee.private_data
    }
    return table
  }

}

// At file scope, so that nothing is captured: C functions can carry nothing along.

private func mounted() throws(SystemErrno) -> any MountedFileSystem {
  let context = try unsafe given(fuse_get_context())
  return unsafe Unmanaged<MountedBox>.fromOpaque(context.pointee.private_data)
    .takeUnretainedValue().fileSystem
}

/// What libfuse always gives.
private func given<Value>(_ value: Value?) throws(SystemErrno) -> Value {
  guard let value else { throw SystemErrno(EFAULT) }
  return value
}

/// What an operation answers: zero or more, or an error's number with the sign turned.
private func answer(_ body: () throws(SystemErrno) -> Int) -> CInt {
  do throws(SystemErrno) { return CInt(try body()) } catch { return -error.number }
}
private func done(_ body: () throws(SystemErrno) -> Void) -> CInt {
  do throws(SystemErrno) {
    try body()
    return 0
  } catch { return -error.number }
}

/// A path as the kernel sees it begins with a slash.
private func item(_ path: UnsafePointer<CChar>?) -> ItemPath {
  guard let path = unsafe path else { return .root }
  return ItemPath(unsafe Array(bytes(of: path).drop { $0 == UInt8(ascii: "/") }))
}

private func opened(_ info: UnsafeMutablePointer<fuse_file_info>?) -> OpenItem? {
  guard let info = unsafe info else { return nil }
  let handle = unsafe UnsafeRawPointer(bitPattern: UInt(info.pointee.fh))
  return unsafe handle.map { unsafe Unmanaged<OpenItem>.fromOpaque($0).takeUnretainedValue() }
}
private func set(_ item: OpenItem, _ info: UnsafeMutablePointer<fuse_file_info>) {
  let handle = unsafe Unmanaged.passRetained(item).toOpaque()
  unsafe info.pointee.fh = UInt64(UInt(bitPattern: handle))
}
private func directory(_ info: UnsafeMutablePointer<fuse_file_info>?) -> Unmanaged<OpenDirectory>? {
  guard let info = unsafe info else { return nil }
  let handle = unsafe UnsafeRawPointer(bitPattern: UInt(info.pointee.fh))
  return unsafe handle.map { unsafe Unmanaged.fromOpaque($0) }
}
private func needed(_ info: UnsafeMutablePointer<fuse_file_info>?) throws(SystemErrno) -> OpenItem {
  guard let item = unsafe opened(info) else { throw SystemErrno(EBADF) }
  return item
}

/// Puts a value where the kernel wants it; only its length where there is no room at all.
private func give(
  _ value: [UInt8],
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int
) throws(SystemErrno) -> Int {
  if size > 0 {
    guard value.count <= size else { throw SystemErrno(ERANGE) }
    unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size).copyBytes(from: value)
  }
  return value.count
}

private func configure(_ configuration: inout fuse_config) {
  // Others change the folder as well: nothing is believed for longer than one call.
  unsafe configuration.entry_timeout = 0
  unsafe configuration.attr_timeout = 0
  unsafe configuration.negative_timeout = 0
  // Open files are asked themselves, so none has to be hidden under another name when it is removed.
  unsafe configuration.hard_remove = 1
  unsafe configuration.nullpath_ok = 1
  // Not the folder's own numbers: a delivery changes them, and cp would take that for another file.
  unsafe configuration.use_ino = 0
  unsafe configuration.readdir_ino = 1
}
