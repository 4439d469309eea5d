import CLinux
import Glibc

/// Calls that act on names in directories.
///
/// All paths are relative to the working directory unless absolute, or to `directory` where a descriptor's number is given.
package enum FileSystem {
  /// Creates a directory.
  ///
  /// - SeeAlso: mkdirat(2)
  package static func makeDirectory(
    _ path: FilePath,
    mode: UInt32 = 0o700,
    at directory: CInt = AT_FDCWD
  ) throws(SystemError) {
    _ = try systemCall("mkdirat", on: path) {
      unsafe path.withCString { unsafe mkdirat(directory, $0, mode) }
    }
  }

  /// Removes a name that is not a directory.
  ///
  /// - SeeAlso: unlinkat(2)
  package static func removeFile(_ path: FilePath, at directory: CInt = AT_FDCWD)
    throws(SystemError)
  {
    _ = try systemCall("unlinkat", on: path) {
      unsafe path.withCString { unsafe unlinkat(directory, $0, 0) }
    }
  }

  /// Removes an empty directory.
  ///
  /// - SeeAlso: unlinkat(2) AT_REMOVEDIR
  package static func removeDirectory(_ path: FilePath, at directory: CInt = AT_FDCWD)
    throws(SystemError)
  {
    _ = try systemCall("unlinkat", on: path) {
      unsafe path.withCString { unsafe unlinkat(directory, $0, AT_REMOVEDIR) }
    }
  }

  /// Removes `path` and everything below it; links are removed, not followed.
  package static func removeTree(_ path: FilePath) throws(SystemError) {
    try removeTree(path, at: AT_FDCWD, path)
  }

  /// Relative to its directory: a path of many components for each of thousands of files costs more than
  /// removing them.
  private static func removeTree(
    _ name: FilePath,
    at directory: CInt,
    _ path: FilePath
  ) throws(SystemError) {
    do {
      try removeFile(name, at: directory)
      return
    } catch  where error.code == .isDirectory || error.code == .notPermitted {
      do throws(SystemError) {
        let inner = try Descriptor.open(name, [.readOnly, .directory, .noFollow], at: directory)
        for entry in try entries(of: inner.number) {
          try removeTree(FilePath(bytes: entry.name), at: inner.number, path.appending(entry.name))
        }
        try removeDirectory(name, at: directory)
      } catch  where error.code == .notDirectory {
        // It may not be removed, and is no directory: the first failure says why.
        try removeFile(name, at: directory)
      } catch { throw error.about(path) }
    } catch { throw error.about(path) }
  }

  /// What a rename does with a name that exists.
  package struct RenameOptions: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Fail with EEXIST instead of replacing.
    package static let noReplace = RenameOptions(rawValue: 1)
    /// Swap the two names.
    package static let exchange = RenameOptions(rawValue: 2)
  }

  /// Renames in one step; replaces a file that has the new name unless told not to.
  ///
  /// - SeeAlso: renameat2(2)
  package static func rename(
    _ old: FilePath,
    to new: FilePath,
    _ options: RenameOptions = [],
    at directory: CInt = AT_FDCWD
  ) throws(SystemError) {
    _ = try systemCall("renameat2", on: old) {
      unsafe old.withCString { a in
        unsafe new.withCString { b in
          unsafe cl_renameat2(directory, a, directory, b, options.rawValue)
        }
      }
    }
  }

  /// The names in a directory without "." and "..", in no order.
  ///
  /// - SeeAlso: readdir(3)
  package static func list(_ path: FilePath) throws(SystemError) -> [[UInt8]] {
    let directory = try Descriptor.open(path, [.readOnly, .directory])
    return try list(directory, named: path)
  }

  /// The names in an open directory.
  package static func list(_ directory: consuming Descriptor, named path: FilePath)
    throws(SystemError) -> [[UInt8]]
  {
    let number = directory.release()
    guard let stream = unsafe fdopendir(number) else {
      let code = cl_errno()
      close(number)
      throw SystemError("fdopendir", code).about(path)
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe Array($0.prefix { $0 != 0 })
      }
      if name != [0x2e], name != [0x2e, 0x2e] { names.append(name) }
    }
    return names
  }

  /// Whether something has that name, be it a link to nothing; no error is made where nothing has.
  ///
  /// - SeeAlso: faccessat(2)
  package static func exists(_ path: FilePath) -> Bool {
    unsafe path.withCString { unsafe faccessat(AT_FDCWD, $0, F_OK, AT_SYMLINK_NOFOLLOW) } == 0
  }

  /// Where a symbolic link points, as it is written in it.
  ///
  /// - SeeAlso: readlinkat(2)
  package static func readLink(_ path: FilePath, at directory: CInt = AT_FDCWD)
    throws(SystemError) -> FilePath
  {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      do throws(SystemError) {
        count = try systemCall("readlinkat", on: path) {
          unsafe path.withCString { name in
            unsafe buffer.withMemoryRebound(to: CChar.self) { (text) -> Int in
              guard let start = text.baseAddress else { return 0 }
              return unsafe readlinkat(directory, name, start, text.count)
            }
          }
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return FilePath(bytes: bytes)
  }

  /// Creates a symbolic link at `path` that says `target`.
  ///
  /// - SeeAlso: symlink(2)
  package static func makeLink(_ path: FilePath, to target: FilePath) throws(SystemError) {
    _ = try systemCall("symlink", on: path) {
      unsafe target.withCString { a in unsafe path.withCString { b in unsafe symlink(a, b) } }
    }
  }

  /// The path without links, "." and ".."; every component must exist.
  ///
  /// - SeeAlso: realpath(3)
  package static func realPath(_ path: FilePath) throws(SystemError) -> FilePath {
    var resolved: FilePath?
    unsafe path.withCString { name in
      guard let text = unsafe realpath(name, nil) else { return }
      resolved = unsafe FilePath(
        bytes: UnsafeBufferPointer(
          start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self),
          count: strlen(text)
        )
      )
      unsafe free(text)
    }
    guard let resolved else { throw SystemError("realpath", cl_errno()).about(path) }
    return resolved
  }

  /// The value of an extended attribute, or nil where there is none or none are supported.
  ///
  /// - SeeAlso: lgetxattr(2)
  package static func attribute(_ name: String, of path: FilePath) throws(SystemError) -> [UInt8]? {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
      do throws(SystemError) {
        count = try systemCall("lgetxattr", on: path) {
          unsafe path.withCString { unsafe lgetxattr($0, name, buffer.baseAddress, buffer.count) }
        }
      } catch { failure = error }
    }
    guard let failure else { return bytes }
    if failure.code == .noAttribute || failure.code == .notSupported { return nil }
    throw failure
  }

  /// Sets an extended attribute.
  ///
  /// - SeeAlso: lsetxattr(2)
  package static func setAttribute(_ name: String, to value: [UInt8], of path: FilePath)
    throws(SystemError)
  {
    _ = try systemCall("lsetxattr", on: path) {
      unsafe path.withCString { file in
        unsafe value.withUnsafeBytes { unsafe lsetxattr(file, name, $0.baseAddress, $0.count, 0) }
      }
    }
  }
}

extension FileSystem {
  /// Sets the permission bits of a name that is not a link.
  ///
  /// - SeeAlso: fchmodat(2)
  package static func setPermissions(
    _ path: FilePath,
    _ mode: UInt32,
    at directory: CInt = AT_FDCWD
  ) throws(SystemError) {
    _ = try systemCall("fchmodat", on: path) {
      unsafe path.withCString { unsafe fchmodat(directory, $0, mode, 0) }
    }
  }
}

extension Descriptor {
  /// Sets the permission bits of the open file.
  ///
  /// - SeeAlso: fchmod(2)
  package borrowing func setPermissions(_ mode: UInt32) throws(SystemError) {
    let number = number
    _ = try systemCall("fchmod") { fchmod(number, mode) }
  }
}
