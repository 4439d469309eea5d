import CGIO
package import LinuxSystem

/// Programs and types as the desktop knows them: through GIO, which follows the specifications and
/// hears of programs that are installed meanwhile.
///
/// GIO takes the directories from the environment once, at the first question.
/// - SeeAlso: https://specifications.freedesktop.org/mime-apps-spec
package enum DesktopPrograms {
  /// All programs that can open a MIME type, in GIO's order: those for the type itself, then those for
  /// the types it is a special case of.
  package static func all(for type: String) -> [DesktopProgram] {
    MimeData.isReady
    return unsafe programs(g_app_info_get_all_for_type(type))
  }

  /// The programs for the type itself.
  package static func recommended(for type: String) -> [DesktopProgram] {
    MimeData.isReady
    return unsafe programs(g_app_info_get_recommended_for_type(type))
  }

  /// The program that opens the type unless another is asked for.
  package static func preferred(for type: String) -> DesktopProgram? {
    MimeData.isReady
    guard let info = unsafe g_app_info_get_default_for_type(type, 0) else { return nil }
    return unsafe DesktopProgram(owning: info)
  }

  /// All programs for a type, the preferred one first.
  package static func menu(for type: String) -> [DesktopProgram] {
    let all = all(for: type)
    guard let first = preferred(for: type) else { return all }
    return [first] + all.filter { $0 != first }
  }

  private static func programs(_ list: UnsafeMutablePointer<GList>?) -> [DesktopProgram] {
    var programs: [DesktopProgram] = []
    var next = unsafe list
    while let item = unsafe next {
      if let data = unsafe item.pointee.data,
        let program = unsafe DesktopProgram(owning: OpaquePointer(data))
      {
        programs.append(program)
      }
      unsafe next = item.pointee.next
    }
    unsafe g_list_free(list)
    return programs
  }

  // MARK: types

  /// The MIME type of an item by its name and, where that does not tell, its content.
  ///
  /// A link stands for what it leads to. Reads at most some kilobytes.
  package static func type(of path: FilePath) throws(DesktopError) -> String {
    MimeData.isReady
    var error: UnsafeMutablePointer<GError>?
    let type = unsafe path.withTerminatedBytes { unsafe dp_content_type($0, &error) }
    if let type = unsafe GLibText.owned(type) { return type }
    throw DesktopError(.failed, unsafe "\(path): \(GLibText.message(error))")
  }

  /// The MIME type that a name tells.
  package static func type(ofName name: String) -> String {
    MimeData.isReady
    return unsafe GLibText.owned(g_content_type_guess(name, nil, 0, nil))
      ?? "application/octet-stream"
  }

  /// Whether all files of one type are of another as well.
  package static func isA(_ type: String, _ other: String) -> Bool {
    MimeData.isReady
    return unsafe g_content_type_is_a(type, other) != 0
  }

  /// What people call a type, in their language.
  package static func describe(_ type: String) -> String {
    MimeData.isReady
    return unsafe GLibText.owned(g_content_type_get_description(type)) ?? type
  }

  /// The names of a type's icon in the icon theme, the best first.
  package static func iconNames(for type: String) -> [String] {
    MimeData.isReady
    guard let icon = unsafe g_content_type_get_icon(type) else { return [] }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(icon)) }
    return unsafe GLibText.array(dp_icon_names(icon))
  }
}

extension FilePath {
  /// Runs `body` with the bytes and a NUL.
  func withTerminatedBytes<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
    let all = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe all.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("never empty") }
      return unsafe body(start)
    }
  }
}
