import LinuxSystem
import SafeSaving

/// Puts new contents under a name in one step: whole under a temporary name first, then renamed.
enum SafePlacement {
  /// A name beside `target` that nothing has, short whatever the target is called.
  static func temporaryName(beside target: FilePath) -> FilePath {
    let digits = String(UInt32.random(in: 0...UInt32.max), radix: 16)
    let name = ".sb-" + String(repeating: "0", count: 8 - digits.count) + digits
    return (target.parent ?? FilePath("/")).appending(name)
  }

  /// Has `make` create an item under a temporary name and gives it the name `target`.
  ///
  /// If anything fails what was made is removed and `target` is as before. A process that dies
  /// leaves the temporary item behind.
  static func place(
    at target: FilePath,
    replacing: Bool,
    _ make: (FilePath) throws -> Void
  ) throws {
    let temporary = temporaryName(beside: target)
    do {
      try make(temporary)
      if replacing {
        try FileSystem.rename(temporary, to: target)
      } else {
        try FreeName.give(target, to: temporary)
      }
    } catch {
      // Nothing there, or nothing to be done about it: the first error is the one that matters.
      try? FileSystem.removeTree(temporary)
      throw error
    }
  }
}
