import FileCoordination
public import Foundation
import LinuxSystem
import SafeSaving

/// Saves a file or a package so that afterwards the complete old or the complete new item is there.
///
/// The new contents are written under a temporary name in the item's own directory, get the old
/// item's mode, owner, extended attributes and access control list, are flushed to the device, and take
/// the item's name in one step; then the directory is flushed. A link at the end of the URL is
/// followed, and stays. What an earlier save that was killed left behind is removed.
///
/// Where a name cannot be given to another file (the directory is not writable, a mount stands there,
/// the owner could not be kept), a regular file is overwritten; the new and the old contents lie complete
/// in `$XDG_STATE_HOME/file-coordination/overwriting` until that is done, and the next save of the file
/// finishes what a crash cut short.
///
/// Blocks the calling thread. Excludes nobody: call it inside a coordinated write. ``UIDocument`` does
/// so by itself; this is for programs that have a document class of their own.
///
/// Man pages: rename(2), renameat2(2), fsync(2).
public struct SafeSave: Sendable {
  /// What happens to a file that has other names (hard links).
  public enum HardLinkRule: Sendable {
    /// The name gets a new file; the other names keep the old contents.
    case replaceName
    /// The file is overwritten, so that all its names show the new contents.
    case overwriteFile
  }

  /// What there was, and what came of it.
  public struct Result: Sendable {
    /// Where the item is: ``SafeSave/url`` with links resolved.
    public let url: URL
    /// When it was modified, as the file system says.
    public let modificationDate: Date
    /// Whether a file was overwritten because it could not be replaced.
    public let wasOverwritten: Bool
  }

  /// The item to save.
  public let url: URL
  /// What happens to a file that has other names.
  public var hardLinkRule = HardLinkRule.replaceName
  /// Whether an item that is there, other than an empty file, makes the save fail with 516.
  public var mustBeNew = false

  /// A save of the item at a file URL, which need not exist; its directory must.
  public init(_ url: URL) { self.url = url }

  /// Saves bytes as a regular file.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` with the system's error under
  ///   `NSUnderlyingErrorKey`: 640 when the disk is full, 513 without permission, 642 on a read-only
  ///   volume, 516 for an item that must be new. The old item is as it was then.
  @discardableResult
  public func write(_ data: Data) throws -> Result {
    try perform { new, _ in try NewFile.write(data, to: new) }
  }

  /// Saves whatever `write` makes: a file, or a directory with all that is in it.
  ///
  /// - Parameter write: Makes the new item at the URL that it is given, where nothing is; the other URL
  ///   is that of the old item, nil where there is none.
  /// - Returns: what came of it.
  /// - Throws: what `write` throws; else as ``write(_:)``.
  @discardableResult
  public func write(
    _ write: (_ newItemURL: URL, _ originalURL: URL?) throws -> Void
  ) throws -> Result {
    try perform { new, old in try write(new.url(), old?.urlOnDisk) }
  }

  private func perform(_ write: (FilePath, FilePath?) throws -> Void) throws -> Result {
    do {
      guard let path = FilePath(url) else { throw SystemError("openat", .invalid, on: "\(url)") }
      let replacement = try SafeReplacement(of: path, options)
      let outcome = try replacement.perform(write: write)
      return Result(
        url: replacement.target.urlOnDisk,
        modificationDate: outcome.status.modified.date,
        wasOverwritten: outcome.wasOverwritten
      )
    } catch { throw SaveFailure.nsError(error, at: url) }
  }

  private var options: SafeReplacement.Options {
    var options = SafeReplacement.Options()
    options.hardLinks = hardLinkRule == .replaceName ? .swap : .overwrite
    options.mustBeNew = mustBeNew
    return options
  }
}
