package import Foundation
package import LinuxSystem

/// The user's trash, as all desktops share it.
///
/// An item of the home directory's file system goes to `$XDG_DATA_HOME/Trash`, one of another file system
/// to a directory at its top: nothing is ever copied. The file `directorysizes`, which only saves other
/// programs the counting, is not written.
/// - SeeAlso: https://specifications.freedesktop.org/trash-spec/trashspec-1.0.html
package struct Trash: Sendable {
  /// An item in the trash.
  package struct Entry: Hashable, Sendable {
    /// Where it is now.
    package let item: FilePath
    /// The file that says where it was and when it went.
    package let information: FilePath
  }

  /// One trash: its directory, and the directory that paths in it are relative to, if any.
  private struct Place {
    let directory: FilePath
    let top: FilePath?
  }

  private let directories: DesktopDirectories

  package init(_ directories: DesktopDirectories) { self.directories = directories }

  /// Moves an item to the trash; a link goes itself.
  ///
  /// If the process dies, the item is where it was, or whole in the trash; at worst a note of where it was
  /// lies there without it.
  /// - Throws: what the system says: EXDEV where its file system has no place for a trash.
  package func put(_ path: FilePath, at date: Date = Date()) throws(SystemError) -> Entry {
    let status = try FileStatus(of: path)
    guard let name = path.lastComponent.map(Array.init), let parent = path.parent else {
      throw SystemError("renameat2", .busy, on: path.description)
    }
    // The item's own place, with no link on the way.
    let real = try FileSystem.realPath(parent).appending(name)
    let place = try place(of: real, status)
    if real == place.directory || place.directory.isInside(real) {
      throw SystemError("renameat2", .invalid, on: path.description)
    }
    let files = place.directory.appending("files")
    let notes = place.directory.appending("info")
    try FileSystem.makeDirectories(files)
    try FileSystem.makeDirectories(notes)
    let text = Self.information(place.top.map { Self.relative(real, to: $0) } ?? real, date)
    for attempt in 1... {
      let unique = Self.name(name, attempt)
      let entry = Entry(
        item: files.appending(unique),
        information: notes.appending(unique + Array(".trashinfo".utf8))
      )
      if try move(real, entry, text) { return entry }
    }
    throw SystemError("renameat2", .alreadyExists, on: path.description)
  }

  /// False: the name is taken.
  private func move(
    _ path: FilePath,
    _ entry: Entry,
    _ text: String
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      let note = try Descriptor.open(entry.information, [.writeOnly, .create, .exclusive])
      try note.write(Array(text.utf8))
    } catch  where error.code == .alreadyExists {
      return false
    }
    do throws(SystemError) {
      try FileSystem.rename(path, to: entry.item, .noReplace)
      return true
    } catch {
      // The note is of nothing; one that stays behind does no harm.
      try? FileSystem.removeFile(entry.information)
      if error.code == .alreadyExists { return false }
      throw error
    }
  }

  // MARK: where

  private func place(of path: FilePath, _ status: FileStatus) throws(SystemError) -> Place {
    let home = directories.dataHome.appending("Trash")
    if try Self.device(nearest: home) == status.device { return Place(directory: home, top: nil) }
    var top = path.parent ?? FilePath("/")
    while let above = top.parent, try FileStatus(of: above).device == status.device { top = above }
    let user = "\(Environment.user)"
    let shared = top.appending(".Trash")
    // Only one that an administrator made: a directory, not a link, in which nobody removes another's.
    let found = try? FileStatus(of: shared)
    if let found, found.kind == .directory, found.permissions & 0o1000 != 0 {
      return Place(directory: shared.appending(user), top: top)
    }
    let own = top.appending(".Trash-\(user)")
    do throws(SystemError) {
      try FileSystem.makeDirectory(own, mode: 0o700)
    } catch  where error.code == .alreadyExists {
      let found = try FileStatus(of: own)
      guard found.kind == .directory, found.owner == Environment.user else {
        throw SystemError("mkdirat", .notPermitted, on: own.description)
      }
    }
    return Place(directory: own, top: top)
  }

  /// The file system of the nearest directory that is there.
  private static func device(nearest path: FilePath) throws(SystemError) -> UInt64 {
    var path = path
    while true {
      do throws(SystemError) {
        return try FileStatus(of: path, followingLink: true).device
      } catch  where error.code == .noEntry {
        guard let parent = path.parent else { throw error }
        path = parent
      }
    }
  }

  // MARK: what is written

  private static func relative(_ path: FilePath, to top: FilePath) -> FilePath {
    FilePath(bytes: path.bytes.dropFirst(top.count).drop { $0 == .slash })
  }

  private static func information(_ path: FilePath, _ date: Date) -> String {
    // The path as a URL has it, without the scheme.
    let text = path.fileURLText(isDirectory: false).dropFirst(7)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let part = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second],
      from: date
    )
    let day = [part.year, part.month, part.day].map { padded($0 ?? 0) }.joined(separator: "-")
    let time = [part.hour, part.minute, part.second].map { padded($0 ?? 0) }.joined(separator: ":")
    return "[Trash Info]\nPath=\(text)\nDeletionDate=\(day)T\(time)\n"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The name itself, then with a number before the extension; never longer than names may be.
  static func name(_ name: [UInt8], _ attempt: Int) -> [UInt8] {
    let room = 255 - ".trashinfo".utf8.count
    if attempt == 1, name.count <= room { return name }
    let dot = name.dropFirst().lastIndex(of: UInt8(ascii: "."))
    let end = dot.map { Array(name[$0...]) } ?? []
    let stem = dot.map { Array(name[..<$0]) } ?? name
    let number = attempt == 1 ? [] : Array(".\(attempt)".utf8)
    let kept = end.count < 32 ? end : []
    return stem.prefix(room - number.count - kept.count) + number + kept
  }
}
