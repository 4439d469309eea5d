package import LinuxSystem

/// What counts as a file package: a directory that is one document.
///
/// The same answer in every process of a user: by the extension of its name, from a built-in list and
/// from `.config/file-coordination/packages` in the home directory of the user database (one
/// extension a line, `#` begins a comment), or by the attribute `user.file-package` of the directory.
/// Never "any directory with a dot in its name".
package enum PackagePredicate {
  /// The attribute that makes a directory a package, whatever its value.
  package static let attribute = "user.file-package"

  /// Extensions that make a directory a package everywhere.
  package static let builtIn: Set<String> = [
    "app", "band", "bundle", "fcpbundle", "framework", "graffle", "imovielibrary", "kext", "key",
    "logicx", "mpkg", "numbers", "pages", "photoslibrary", "pkg", "playground", "plugin", "rtfd",
    "scptd", "sparsebundle", "textbundle", "tvlibrary", "wdgt", "xcarchive", "xcodeproj",
    "xcworkspace",
  ]

  /// Whether a directory of this name is a package because of its extension.
  package static func isPackageName(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return false
    }
    let rest = name[name.index(after: dot)...]
    guard !rest.isEmpty, rest.count <= 64 else { return false }
    let lowered = String(decoding: rest.map(lowercase), as: UTF8.self)
    return builtIn.contains(lowered) || RegisteredExtensions.current().contains(lowered)
  }

  /// Whether the directory carries the attribute; false where that cannot be read.
  ///
  /// One system call. Something that is missing is no package.
  package static func isMarked(_ directory: FilePath) -> Bool {
    // What cannot be read says nothing, and so means the same in every process that cannot.
    (try? FileSystem.attribute(attribute, of: directory)) != nil
  }

  /// The packages among `directories`, in their order.
  package static func packages(among directories: [FilePath]) -> [FilePath] {
    directories.filter { directory in
      guard let name = directory.lastComponent else { return false }
      return isPackageName(name) || isMarked(directory)
    }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte
  }
}

/// The user's own extensions, read again when the file changed, looked at once a second at most.
private enum RegisteredExtensions {
  private struct State {
    var lookedAt: UInt64 = 0
    var status: FileStatus?
    var extensions: Set<String> = []
  }
  private static let state = Mutex(State())
  private static let file: FilePath? = Environment.home?.appending(".config")
    .appending("file-coordination").appending("packages")

  static func current() -> Set<String> {
    guard let file else { return [] }
    return state.withLock { state in
      let now = MonotonicInstant.now.nanoseconds
      if state.lookedAt != 0, now - state.lookedAt < 1_000_000_000 { return state.extensions }
      state.lookedAt = now
      // A file that is missing or unreadable registers nothing.
      let status = try? FileStatus(of: file, followingLink: true)
      if status != state.status {
        state.status = status
        state.extensions = status == nil ? [] : read(file)
      }
      return state.extensions
    }
  }

  private static func read(_ file: FilePath) -> Set<String> {
    // See above: unreadable counts as empty.
    guard let opened = try? Descriptor.open(file, [.readOnly, .nonBlocking]),
      let bytes = try? opened.readToEnd()
    else { return [] }
    var found: Set<String> = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let word = line.prefix { $0 != "#" }.filter { !$0.isWhitespace && $0 != "." }
      if !word.isEmpty { found.insert(word.lowercased()) }
    }
    return found
  }
}
