import CGIO
package import LinuxSystem

/// A program that is installed, as its desktop entry describes it.
@safe package struct DesktopProgram: Sendable {
  /// An entry, which does not change and which any thread may read.
  // @unchecked because GIO never changes an entry that it handed out, and counts references atomically.
  @safe private final class Entry: @unchecked Sendable {
    let info: OpaquePointer
    /// Takes over one reference.
    init(_ info: OpaquePointer) { unsafe self.info = info }
    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(info)) }
  }
  private let entry: Entry
  /// The name of its entry, for example `org.gnome.gedit.desktop`.
  package let id: String
  /// What people call it, in their language.
  package let name: String

  /// Takes over a reference to a GAppInfo; nil for one without an entry, which only this process knows.
  init?(owning info: OpaquePointer) {
    let entry = unsafe Entry(info)
    guard unsafe dp_desktop(info) != nil, let id = unsafe GLibText.borrowed(g_app_info_get_id(info))
    else { return nil }
    self.entry = entry
    self.id = id
    name = unsafe GLibText.borrowed(g_app_info_get_display_name(info)) ?? id
  }

  /// The program whose entry has this name, or nil: there is none, or it cannot be run.
  ///
  /// `.desktop` may be left out. Reads the file.
  package init?(id: String) {
    let file = id.hasSuffix(".desktop") ? id : id + ".desktop"
    guard let info = unsafe g_desktop_app_info_new(file) else { return nil }
    unsafe self.init(owning: info)
  }

  /// The name without `.desktop`: what stands for a bundle identifier here.
  package var identifier: String {
    id.hasSuffix(".desktop") ? String(id.dropLast(8)) : id
  }

  /// The file of the entry.
  package var file: FilePath? {
    unsafe GLibText.borrowed(g_desktop_app_info_get_filename(entry.info)).map(FilePath.init)
  }

  /// Its command line, field codes and all.
  package var commandLine: String? {
    unsafe GLibText.borrowed(g_app_info_get_commandline(entry.info))
  }

  /// Its icon's names in the icon theme, or the path of a file.
  package var iconName: String? {
    guard let icon = unsafe g_app_info_get_icon(entry.info) else { return nil }
    if let file = unsafe GLibText.owned(dp_icon_file(icon)) { return file }
    return unsafe GLibText.array(dp_icon_names(icon)).first
  }

  /// Whether it wants a terminal around it.
  package var needsTerminal: Bool { flag("Terminal") }
  /// Whether it is started, and told what to open, over the session bus.
  package var isActivatable: Bool { flag("DBusActivatable") }
  /// Whether it says when it has started.
  package var notifiesStart: Bool { flag("StartupNotify") }

  private func flag(_ key: String) -> Bool {
    unsafe g_desktop_app_info_get_boolean(entry.info, key) != 0
  }

  /// Runs `body` with the entry.
  func with<R>(_ body: (OpaquePointer) throws -> R) rethrows -> R {
    try withExtendedLifetime(entry) { try unsafe body($0.info) }
  }
}

extension DesktopProgram: Hashable {
  /// Whether both are of the same entry.
  package static func == (a: DesktopProgram, b: DesktopProgram) -> Bool { a.id == b.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
