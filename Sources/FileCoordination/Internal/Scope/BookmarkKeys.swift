import Foundation
import LinuxSystem

/// The keys that prove where a bookmark comes from.
///
/// They give no access: the kernel does.
enum BookmarkKeys {
  private static let attribute = "user.file-coordination.bookmark-key"

  /// The key of an application, made at its first use.
  ///
  /// Kept below `$XDG_STATE_HOME/file-coordination/bookmark-keys`, readable by the user only.
  static func application(_ identifier: String) throws -> [UInt8] {
    let directory = stateDirectory().appending("file-coordination").appending("bookmark-keys")
    let (a, b) = FilePath(identifier).stableHash
    let file = directory.appending(String(a, radix: 16) + String(b, radix: 16))
    do throws(SystemError) {
      return try readOrMake(file, in: directory)
    } catch {
      throw BookmarkFailure.scope.error(
        file.url(),
        "the key for bookmarks of “\(identifier)” could not be read or made: \(error)",
        error
      )
    }
  }

  private static func stateDirectory() -> FilePath {
    let environment = ProcessInfo.processInfo.environment
    if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") { return FilePath(home) }
    return FilePath(NSHomeDirectory()).appending(".local").appending("state")
  }

  private static func readOrMake(_ file: FilePath, in directory: FilePath) throws(SystemError)
    -> [UInt8]
  {
    if let key = try readKey(file) { return key }
    for ancestor in directory.ancestors + [directory] {
      do throws(SystemError) { try FileSystem.makeDirectory(ancestor, mode: 0o700) } catch
        where error.code == .alreadyExists || error.code == .isDirectory
      { continue }
    }
    let key = random()
    let own = directory.appending(".\(UInt64.random(in: 0...UInt64.max))")
    do throws(SystemError) {
      let new = try Descriptor.open(own, [.writeOnly, .create, .exclusive])
      try new.write(key)
      try new.synchronize()
      // Whoever makes it first has made it: the others read that one.
      try FileSystem.rename(own, to: file, .noReplace)
      return key
    } catch {
      do throws(SystemError) { try FileSystem.removeFile(own) } catch { /* a leftover, no more */  }
      if error.code == .alreadyExists, let key = try readKey(file) { return key }
      throw error
    }
  }

  private static func readKey(_ file: FilePath) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      let key = try Descriptor.open(file, [.readOnly, .noFollow]).readToEnd()
      return key.count == 32 ? key : nil
    } catch  where error.code == .noEntry { return nil }
  }

  /// The key of a document, or nil where it has none and none is to be made.
  static func document(_ url: URL, makingOne: Bool) throws -> [UInt8] {
    guard let path = FilePath(url) else {
      throw BookmarkFailure.scope.error(url, "a bookmark can only be for a document that is a file")
    }
    do throws(SystemError) {
      if let key = try FileSystem.attribute(attribute, of: path), key.count == 32 { return key }
      if makingOne {
        let key = random()
        try FileSystem.setAttribute(attribute, to: key, of: path)
        return key
      }
    } catch {
      throw BookmarkFailure.scope.error(
        url,
        "the key for bookmarks of the document “\(url.lastPathComponent)” is not to be had: \(error)",
        error
      )
    }
    throw BookmarkFailure.scope.error(
      url,
      "the document “\(url.lastPathComponent)” has no key for its bookmarks any more: a program "
        + "that does not keep extended attributes has saved it"
    )
  }

  private static func random() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}
