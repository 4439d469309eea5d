import FileCoordination
import Foundation
import LinuxSystem

/// Items as words of the command name them.
enum Operand {
  /// The absolute path of the item that `word` names, in the spelling of `word`.
  ///
  /// A last component `.` or `..`, and a link with a slash behind it, stand for what they lead to.
  /// - Throws: ``CommandFailure`` with status 66 for an empty word, a dangling link with a slash, and a
  ///   slash behind what is no directory.
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
    let path = isLink ? try FileSystem.realPath(bare) : bare
    guard let kind = (try? FileStatus(of: path))?.kind, kind != .directory else { return path }
    throw CommandFailure(.noSuchItem, "\(word): Not a directory")
  }

  /// The same for an item that will be taken away from its name: that of a link, not what it leads to.
  ///
  /// A slash behind a link is refused, as rename(2), rm(1) and mv(1) do, and so are `.` and `..`:
  /// whoever wrote it, or had it completed, may mean either of the two.
  /// - Throws: ``CommandFailure``.
  static func pathToTake(_ word: FilePath, _ doing: String) throws -> FilePath {
    let name = word.lastComponent.map(Array.init) ?? []
    guard !name.isEmpty || word.count == 0, name != Array(".".utf8), name != Array("..".utf8) else {
      throw CommandFailure(.failure, "\(word): will not \(doing) '/', '.' or '..'")
    }
    let path = try path(word)
    let bare = (word.parent ?? FilePath(word.isAbsolute ? "/" : ".")).appending(name)
    if word.bytes.last == .slash, try status(bare)?.kind == .link {
      throw CommandFailure(
        .failure,
        "\(word): is a link; without the slash it is meant itself, what it leads to is \(path)"
      )
    }
    return path
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
