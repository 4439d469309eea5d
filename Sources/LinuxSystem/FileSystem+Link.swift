import Glibc

extension FileSystem {
  /// Gives a file of one directory a second name in another; a link is linked itself.
  ///
  /// Both directories are numbers of open descriptors.
  /// - SeeAlso: linkat(2)
  package static func linkEntry(
    _ name: FilePath,
    in directory: CInt,
    as newName: FilePath,
    in newDirectory: CInt
  ) throws(SystemError) {
    _ = try systemCall("linkat", on: name) {
      unsafe name.withCString { old in
        unsafe newName.withCString { new in unsafe linkat(directory, old, newDirectory, new, 0) }
      }
    }
  }

  /// Creates a symbolic link in an open directory.
  ///
  /// - SeeAlso: symlinkat(2)
  package static func makeLink(_ name: FilePath, to target: FilePath, at directory: CInt)
    throws(SystemError)
  {
    _ = try systemCall("symlinkat", on: name) {
      unsafe target.withCString { a in
        unsafe name.withCString { b in unsafe symlinkat(a, directory, b) }
      }
    }
  }
}
