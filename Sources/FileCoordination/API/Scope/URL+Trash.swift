public import Foundation
import LinuxSystem

extension URL {
  /// Whether the item lies in a trash: a bookmark can lead to what its user has thrown away.
  ///
  /// The trash of the user's home (`$XDG_DATA_HOME/Trash`), or one at the top of another mount
  /// (`.Trash/UID`, `.Trash-UID`). Looks at the path and at links on the way to it; blocks for that.
  /// - Note: Not in Apple's interface, where an item's relationship to the trash is asked of
  ///   `FileManager`.
  public var isInTrash: Bool {
    guard let path = FilePath(self) else { return false }
    // An item that is gone, and a link itself, lie where their directory does.
    let parent = path.parent.flatMap { try? FileSystem.realPath($0) } ?? path.parent ?? path
    let names = parent.bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
    let user = Environment.user
    for index in names.indices where names[index] == Array("files".utf8) && index > 0 {
      let before = names[index - 1]
      if before == Array(".Trash-\(user)".utf8) { return true }
      guard index > 1 else { continue }
      if before == Array("\(user)".utf8), names[index - 2] == Array(".Trash".utf8) { return true }
    }
    // Without a home there is no trash in it.
    guard let data = try? UserDirectory.data().parent else { return false }
    let home = data.appending("Trash").appending("files")
    let real = (try? FileSystem.realPath(home)) ?? home
    return parent == real || parent.isInside(real)
  }
}
