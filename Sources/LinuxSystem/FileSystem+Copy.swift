import CLinux
import Glibc

extension FileSystem {
  /// Copies a file's bytes into a new file of mode 0600; shares them where the file system can.
  ///
  /// - SeeAlso: copy_file_range(2)
  package static func copyContents(of source: FilePath, toNew target: FilePath)
    throws(SystemError)
  {
    let from = try Descriptor.open(source, .readOnly)
    let to = try Descriptor.open(target, [.writeOnly, .create, .exclusive])
    let (a, b) = (from.number, to.number)
    while true {
      do throws(SystemError) {
        let copied = try systemCall("copy_file_range", on: source) {
          cl_copy_file_range(a, b, 1 << 30)
        }
        if copied == 0 { return }
      } catch  where [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code.rawValue) {
        // Another file system, or one that cannot: the bytes go through us.
        while true {
          let part = try from.read(upTo: 1 << 16)
          if part.isEmpty { return }
          try to.write(part)
        }
      }
    }
  }

  /// Makes a directory of mode 0700 whose name nobody could foresee.
  ///
  /// - SeeAlso: mkdtemp(3)
  package static func makeUniqueDirectory(in base: FilePath, prefix: String) throws(SystemError)
    -> FilePath
  {
    while true {
      let number = UInt64.random(in: 0...UInt64.max)
      let candidate = base.appending(prefix + String(number, radix: 36))
      do throws(SystemError) {
        try makeDirectory(candidate, mode: 0o700)
        return candidate
      } catch  where error.code == .alreadyExists {
        continue
      }
    }
  }
}
