package import LinuxSystem

/// Zip archives of directories, written by libarchive.
package enum ZipArchive {
  /// Writes `directory` and everything below it into the new file `archive`, mode 0600.
  ///
  /// The top entry is the directory's own name. Symbolic links are stored as links, whatever they
  /// say, and never followed; modes, modification times, empty directories and names that are not
  /// UTF-8 are kept. FIFOs, sockets and devices are left out, as is the archive itself. An item that
  /// vanishes during the walk is left out; one that cannot be read is an error, since an archive
  /// without it would pass for a whole one. Two descriptors are open at a time besides the archive's.
  ///
  /// Blocks the calling thread for as long as it takes. If it fails the archive is removed; if the
  /// process dies an unfinished file stays behind.
  /// - Throws: EEXIST where `archive` exists, ENOTDIR where `directory` is none (or a link), and what
  ///   open, read and write report.
  /// - SeeAlso: archive_write_format(3)
  package static func write(
    directory: FilePath,
    to archive: FilePath
  ) throws(ZipArchiveError) {
    let name = try topName(of: directory)
    let root = try failing(directory) { () throws(SystemError) in
      SharedDescriptor(try Descriptor.open(directory, [.readOnly, .directory, .noFollow]))
    }
    let output = try failing(archive) { () throws(SystemError) in
      SharedDescriptor(
        try Descriptor.open(archive, [.writeOnly, .create, .exclusive, .noFollow], mode: 0o600)
      )
    }
    do throws(ZipArchiveError) {
      let own = try failing(archive) { () throws(SystemError) in
        try FileStatus(ofNumber: output.number)
      }
      let writer = try ZipWriter(to: output.number, archive)
      try TreeWriter(writer: writer, directory: directory, name: name, archive: own).write(root)
      try writer.close()
    } catch {
      // Half an archive is of no use; that it could not be removed would hide the first error.
      try? FileSystem.removeFile(archive)
      throw error
    }
  }

  /// The name that stands for the directory in the archive.
  private static func topName(of directory: FilePath) throws(ZipArchiveError) -> [UInt8] {
    let last = directory.lastComponent.map(Array.init)
    if let last, last != Array(".".utf8), last != Array("..".utf8) { return last }
    let real = try failing(directory) { () throws(SystemError) in
      try FileSystem.realPath(directory)
    }
    return real.lastComponent.map(Array.init) ?? Array("root".utf8)
  }
}

/// Runs `body` and says of its failure that it was about `path`.
func failing<R: ~Copyable>(
  _ path: FilePath,
  _ body: () throws(SystemError) -> R
) throws(ZipArchiveError) -> R {
  do throws(SystemError) { return try body() } catch { throw ZipArchiveError(path, error) }
}
