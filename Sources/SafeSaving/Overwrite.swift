import CoordinationRuntime
package import LinuxSystem

/// The fall-back where a file's name cannot be given to another file: its bytes are overwritten.
///
/// The new contents and the old ones lie complete in the user's state directory before the first byte
/// is changed; ``RedoLog`` finishes what a crash cut short.
struct Overwrite {
  let target: FilePath
  let old: FileStatus

  init(_ target: FilePath, _ old: FileStatus) {
    self.target = target
    self.old = old
  }

  func perform(
    check: () throws -> Void,
    adjust: (borrowing Descriptor) throws -> Void,
    write: (FilePath) throws -> Void
  ) throws -> SafeReplacement.Outcome {
    let log = try RedoLog(for: target)
    do {
      try write(log.new)
      try FileSystem.copyContents(of: target, toNew: log.old)
      try check()
      try log.commit()
    } catch {
      log.discard()
      throw error
    }
    do throws(SystemError) {
      try log.replay(onto: target)
    } catch {
      do throws(SystemError) { try log.undo(on: target) } catch let second {
        throw OverwriteFailure(target: target, kept: log.directory, cause: error, second)
      }
      log.discard()
      throw error
    }
    try adjust(try Descriptor.open(target, [.readOnly, .noFollow, .nonBlocking]))
    log.discard()
    return SafeReplacement.Outcome(status: try FileStatus(of: target), wasOverwritten: true)
  }
}

/// A file was overwritten in part and could not be put right.
package struct OverwriteFailure: Error, Sendable, CustomStringConvertible {
  private let target: FilePath
  private let kept: FilePath
  package let cause: SystemError
  private let second: SystemError

  init(target: FilePath, kept: FilePath, cause: SystemError, _ second: SystemError) {
    self.target = target
    self.kept = kept
    self.cause = cause
    self.second = second
  }

  package var description: String {
    "\(target) was overwritten in part (\(cause)) and could not be restored (\(second)); "
      + "the old and the new contents are kept in \(kept)."
  }
}
