package import Foundation
package import LinuxSystem

/// The user's trash, as all desktops share it.
///
/// An item of the home directory's file system goes to `$XDG_DATA_HOME/Trash`, one of another file system
/// to a directory at its top: nothing is ever copied.
/// - SeeAlso: https://specifications.freedesktop.org/trash-spec/trashspec-1.0.html
package struct Trash: Sendable {
  /// An item in the trash.
  package struct Entry: Hashable, Sendable {
    /// Where it is now.
    package let item: FilePath
    /// The file that says where it was and when it went.
    package let information: FilePath
  }

  private let directories: DesktopDirectories

  package init(_ directories: DesktopDirectories) { self.directories = directories }

  /// Moves an item to the trash; a link goes itself.
  ///
  /// If the process dies, the item is where it was, or whole in the trash; at worst a note of where it was
  /// lies there without it.
  /// - Throws: what the system says; the item is where it was. EXDEV: it could only be copied.
  package func put(_ path: FilePath, at date: Date = Date()) throws(SystemError) -> Entry {
    _ = try FileStatus(of: path)
    guard let name = path.lastComponent.map(Array.init), let parent = path.parent else {
      throw SystemError("renameat2", .busy, on: path.description)
    }
    // The item's own place, with no link on the way.
    let parentOnDisk = try FileSystem.realPath(parent)
    let real = parentOnDisk.appending(name)
    if let home = try TrashPlace.home(directories, for: parentOnDisk) {
      return try put(real, name, in: home, date)
    }
    let place = try TrashPlace.atTop(of: parentOnDisk)
    return try put(real, name, in: place, date)
  }

  /// Has the trash's `directorysizes` say what a directory that was put there takes on the disk; nothing
  /// for other items.
  ///
  /// Looks at all that is in it, so it is for when nobody waits any more.
  /// - Throws: what the system says where it cannot be counted or written; the trash is whole without it.
  package func recordSize(of entry: Entry) throws(SystemError) {
    guard let trash = entry.item.parent?.parent,
      try FileStatus(of: entry.item).kind == .directory
    else { return }
    try TrashSizes(trash).add(entry)
  }

  private func put(
    _ path: FilePath,
    _ name: [UInt8],
    in place: TrashPlace,
    _ date: Date
  ) throws(SystemError) -> Entry {
    if path == place.directory || place.directory.isInside(path) {
      throw SystemError("renameat2", .invalid, on: path.description)
    }
    let files = place.directory.appending("files")
    let notes = place.directory.appending("info")
    try FileSystem.makeDirectories(files)
    try FileSystem.makeDirectories(notes)
    let text = Self.information(place.top.map { Self.relative(path, to: $0) } ?? path, date)
    for attempt in 1... {
      let unique = Self.name(name, attempt)
      let entry = Entry(
        item: files.appending(unique),
        information: notes.appending(unique + Array(".trashinfo".utf8))
      )
      if try move(path, entry, text) { return entry }
    }
    throw SystemError("renameat2", .alreadyExists, on: path.description)
  }

  /// False: the name is taken.
  private func move(
    _ path: FilePath,
    _ entry: Entry,
    _ text: String
  ) throws(SystemError) -> Bool {
    let note: Descriptor
    do throws(SystemError) {
      note = try Descriptor.open(entry.information, [.writeOnly, .create, .exclusive])
    } catch  where error.code == .alreadyExists {
      return false
    }
    do throws(SystemError) {
      try note.write(Array(text.utf8))
      try rename(path, to: entry.item)
      return true
    } catch {
      // The note is of nothing; one that stays behind does no harm.
      try? FileSystem.removeFile(entry.information)
      if error.code == .alreadyExists { return false }
      throw error
    }
  }

  private func rename(_ path: FilePath, to item: FilePath) throws(SystemError) {
    do throws(SystemError) {
      try FileSystem.rename(path, to: item, .noReplace)
    } catch  where error.code == .invalid {
      // A file system that knows no such renaming; all who keep to the rules need the note's name first.
      if FileSystem.exists(item) { throw SystemError("renameat2", .alreadyExists).about(item) }
      try FileSystem.rename(path, to: item)
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
