import CGIO
import LinuxSystem

/// What GIO knows types by, without what would end the process.
enum MimeData {
  /// Looks at the binary caches once, before the first question about a type; a directory whose cache is
  /// damaged counts as missing.
  ///
  /// GIO follows every offset in a cache without a look at where it leads: a damaged one in the user's own
  /// data would end every program that asks for a type.
  static let isReady: Void = {
    let directories = unsafe GLibText.array(g_content_type_get_mime_dirs())
    let sound = directories.filter { hasSoundCache(FilePath($0)) }
    if sound.count != directories.count {
      unsafe GLibStrings(sound).with { unsafe g_content_type_set_mime_dirs($0) }
    }
  }()

  private static func hasSoundCache(_ directory: FilePath) -> Bool {
    // What cannot be read GIO cannot read either.
    guard
      let file = try? Descriptor.open(
        directory.appending("mime.cache"),
        [.readOnly, .nonBlocking]
      ),
      let bytes = try? file.readToEnd()
    else { return true }
    return MimeCache.isSound(bytes)
  }
}
