package import LinuxSystem

/// The file that stands for an item whose contents are not here, or not wholly.
///
/// `.name.placeholder` beside it. While it is there the item's contents count for nothing.
package enum Placeholder {
  private static let ending = Array(".placeholder".utf8)

  /// Where the placeholder of an item lies; a placeholder's own is itself.
  package static func path(of item: FilePath) -> FilePath {
    guard let name = item.lastComponent, let parent = item.parent, !isOne(item) else { return item }
    return parent.appending(Array(".".utf8) + name + ending)
  }

  /// Whether a path is that of a placeholder.
  package static func isOne(_ path: FilePath) -> Bool {
    guard let name = path.lastComponent else { return false }
    return name.count > ending.count + 1 && name.first == UInt8(ascii: ".")
      && name.suffix(ending.count).elementsEqual(ending)
  }

  /// The item that a placeholder stands for; nil for what is none.
  package static func item(of placeholder: FilePath) -> FilePath? {
    guard isOne(placeholder), let name = placeholder.lastComponent,
      let parent = placeholder.parent
    else { return nil }
    return parent.appending(Array(name.dropFirst().dropLast(ending.count)))
  }

  /// Whether only a placeholder stands for the item.
  package static func stands(for item: FilePath) -> Bool {
    !isOne(item) && exists(path(of: item))
  }

  /// Whether anything has the name; what cannot be looked at is not there for us.
  package static func exists(_ path: FilePath) -> Bool { FileSystem.exists(path) }

  /// Takes the placeholder away: the contents are whole from now on.
  package static func remove(for item: FilePath) throws(SystemError) {
    do throws(SystemError) { try FileSystem.removeFile(path(of: item)) } catch
      where error.code == .noEntry
    {}
  }

  /// The items below a directory for which only placeholders stand.
  ///
  /// Blocks for as long as looking at all of it takes; links are not followed.
  package static func items(below directory: FilePath) throws(SystemError) -> [FilePath] {
    var found: [FilePath] = []
    var open = [directory]
    while let next = open.popLast() {
      let opened = try Descriptor.open(next, [.readOnly, .directory, .noFollow])
      for entry in try FileSystem.entries(of: opened.number) {
        let path = next.appending(entry.name)
        if entry.kind == .directory {
          open.append(path)
        } else if let item = item(of: path) {
          found.append(item)
        }
      }
    }
    return found
  }
}
