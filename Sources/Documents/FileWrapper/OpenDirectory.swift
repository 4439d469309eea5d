import LinuxSystem

/// A directory that is open, with its path for messages.
final class OpenDirectory {
  let descriptor: Descriptor
  let path: FilePath
  var number: CInt { descriptor.number }

  init(opening name: FilePath, in parent: OpenDirectory?, path: FilePath) throws(SystemError) {
    let options: OpenOptions = [.readOnly, .directory, .noFollow]
    if let parent {
      descriptor = try Descriptor.open(name, options, at: parent.number)
    } else {
      descriptor = try Descriptor.open(name, options)
    }
    self.path = path
  }

  /// Nil for what is not there or cannot be opened.
  convenience init?(_ path: FilePath) {
    do throws(SystemError) { try self.init(opening: path, in: nil, path: path) } catch {
      return nil
    }
  }

  /// A directory in it; nil for what is not there or cannot be opened.
  func directory(_ name: FilePath) -> OpenDirectory? {
    do throws(SystemError) {
      return try OpenDirectory(opening: name, in: self, path: path.appending(name.bytes))
    } catch { return nil }
  }

  /// Nil for what is not there.
  func status(of name: FilePath) -> FileStatus? {
    do throws(SystemError) { return try FileStatus(of: name, at: number) } catch { return nil }
  }
}
