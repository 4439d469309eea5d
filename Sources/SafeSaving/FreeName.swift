package import LinuxSystem

/// Names that nothing has yet.
package enum FreeName {
  /// Gives an item a name in the same directory, if nothing has it.
  ///
  /// In one step where the file system can. FUSE and old servers cannot rename so: there a file gets
  /// the name as its second one, which is refused as well where it is taken; and where that is not to
  /// be had either, or for a folder, a look has to do.
  /// - Throws: `alreadyExists` where something has the name, else what renaming throws.
  /// - SeeAlso: renameat2(2), link(2)
  package static func give(_ name: FilePath, to item: FilePath) throws(SystemError) {
    do throws(SystemError) {
      return try FileSystem.rename(item, to: name, .noReplace)
    } catch {
      guard error.code == .invalid || error.code == .noSystemCall else { throw error }
    }
    do throws(SystemError) { try FileSystem.makeHardLink(name, to: item) } catch {
      guard error.code != .alreadyExists, !FileSystem.exists(name) else {
        throw SystemError("link", .alreadyExists).about(name)
      }
      return try FileSystem.rename(item, to: name)
    }
    try FileSystem.removeFile(item)
  }
}
