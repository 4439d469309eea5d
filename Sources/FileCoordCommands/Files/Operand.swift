import FileCoordination
import Foundation
import LinuxSystem

/// Items as words of the command name them.
enum Operand {
  /// The absolute path of the item that `word` names, in the spelling of `word`.
  ///
  /// A last component `.` or `..`, and a link with a slash behind it, stand for what they lead to.
  /// - Throws: ``CommandFailure`` with status 66 for an empty word or a dangling link with a slash.
  static func path(_ word: FilePath) throws -> FilePath {
    guard word.count > 0 else { throw CommandFailure(.noSuchItem, "'': No such file or directory") }
    var absolute = word
    if !word.isAbsolute { absolute = try FileSystem.realPath(FilePath(".")).appending(word.bytes) }
    guard let name = absolute.lastComponent else { return FilePath("/") }
    if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
      return try FileSystem.realPath(absolute)
    }
    guard absolute.bytes.last == .slash else { return absolute }
    let bare = (absolute.parent ?? FilePath("/")).appending(name)
    // What is missing has no kind; the slash then says nothing.
    let isLink = (try? FileStatus(of: bare))?.kind == .link
    return isLink ? try FileSystem.realPath(bare) : bare
  }

  /// The status of an item, or nil where there is none.
  static func status(_ path: FilePath, followingLink: Bool = false) throws -> FileStatus? {
    do {
      return try FileStatus(of: path, followingLink: followingLink)
    } catch {
      if error.code == .noEntry || error.code == .notDirectory { return nil }
      throw error
    }
  }

  /// The status of an item that must be there.
  ///
  /// - Throws: ``CommandFailure`` with status 66.
  static func existing(_ path: FilePath, followingLink: Bool = false) throws -> FileStatus {
    guard let status = try status(path, followingLink: followingLink) else {
      throw CommandFailure(.noSuchItem, "\(path): No such file or directory")
    }
    return status
  }

  /// The path of a file URL.
  static func path(_ url: URL) throws -> FilePath {
    guard let path = FilePath(url) else {
      throw CommandFailure(.failure, "\(url) is not the URL of a file")
    }
    return path
  }
}
