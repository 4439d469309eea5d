import LinuxSystem

/// Where mv(1) and cp(1) would put an item: into a directory that exists, else under the name.
struct Destination {
  let path: FilePath
  /// What has that name now; of the link itself if it is one.
  let existing: FileStatus?

  /// `followingLink` says whether the name of an existing link stands for its target, as it does for
  /// contents (cp) and does not for names (mv).
  init(_ word: FilePath, of source: FilePath, followingLink: Bool) throws {
    var path: FilePath
    do { path = try Operand.path(word) } catch let failure as CommandFailure {
      throw CommandFailure(.cannotCreate, failure.description)
    }
    let endsInSlash = word.bytes.last == .slash
    if try Operand.status(path, followingLink: true)?.kind == .directory {
      guard let name = source.lastComponent else {
        throw CommandFailure(.failure, "\(source): has no name that it could keep")
      }
      path = path.appending(name)
    } else if endsInSlash, try FileStatus(of: source).kind != .directory {
      throw CommandFailure(.cannotCreate, "\(word): not a directory")
    }
    var existing = try Operand.status(path)
    if followingLink, existing?.kind == .link {
      guard try Operand.status(path, followingLink: true) != nil else {
        throw CommandFailure(.cannotCreate, "\(path): will not write through a dangling link")
      }
      path = try FileSystem.realPath(path)
      existing = try Operand.status(path)
    }
    let parent = path.parent ?? FilePath("/")
    guard try Operand.status(parent, followingLink: true)?.kind == .directory else {
      throw CommandFailure(.cannotCreate, "\(parent): no such directory")
    }
    self.path = path
    self.existing = existing
  }

  /// The very name, whatever has it.
  init(existingOrNew path: FilePath) throws {
    self.path = path
    existing = try Operand.status(path)
  }

  /// Refuses what would destroy the source or a directory.
  ///
  /// `allowingRespelling` lets the same file under another name pass: a renaming in a directory that
  /// does not tell upper case from lower.
  func check(
    _ source: FilePath,
    _ status: FileStatus,
    allowingRespelling: Bool = false
  ) throws {
    let (from, to) = (try Self.canonical(source), try Self.canonical(path))
    if let existing {
      // rename(2) does nothing with two hard links of one file, and says so to nobody.
      let isOther =
        allowingRespelling && from != to
        && (status.kind == .directory || status.links == 1)
      if existing.isSameFile(as: status), !isOther {
        throw CommandFailure(.failure, "\(source) and \(path) are the same file")
      }
      if existing.kind == .directory, status.kind != .directory {
        throw CommandFailure(.failure, "\(path): a directory is not replaced by something else")
      }
      if existing.kind != .directory, status.kind == .directory {
        throw CommandFailure(.failure, "\(path): is not a directory")
      }
    }
    if status.kind == .directory, to.isInside(from) {
      throw CommandFailure(.failure, "\(path) lies inside \(source)")
    }
  }

  private static func canonical(_ path: FilePath) throws -> FilePath {
    guard let parent = path.parent, let name = path.lastComponent else { return path }
    return try FileSystem.realPath(parent).appending(name)
  }
}
