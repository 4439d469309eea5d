package import LinuxSystem

/// Looks icons up by name and size, as the Icon Theme Specification says.
///
/// Reads the `index.theme` files once, when it is made.
/// - SeeAlso: https://specifications.freedesktop.org/icon-theme-spec
package struct IconTheme: Sendable {
  /// A directory of a theme and which sizes its icons are fit for.
  private struct Directory: Sendable {
    enum Kind: Sendable { case fixed, scalable, threshold }
    let name: String
    var size = 0
    var least = 0
    var most = 0
    var threshold = 2
    var scale = 1
    var kind = Kind.threshold

    /// How far it is from a size; 0: it is meant for it.
    func distance(to wanted: Int) -> Int {
      let range: ClosedRange<Int> =
        switch kind {
        case .fixed: size...size
        case .scalable: min(least, most)...max(least, most)
        case .threshold: (size - threshold)...(size + threshold)
        }
      if range.contains(wanted) { return 0 }
      return wanted < range.lowerBound ? range.lowerBound - wanted : wanted - range.upperBound
    }
  }
  private struct Theme: Sendable {
    let places: [FilePath]
    let directories: [Directory]
  }

  private let themes: [Theme]
  private let loose: [FilePath]

  /// The user's theme, what it inherits from, and `hicolor`.
  package init(_ directories: DesktopDirectories) {
    let bases =
      [directories.home.appending(".icons"), directories.dataHome.appending("icons")]
      + directories.dataDirectories.map { $0.appending("icons") }
    var names = [Self.chosen(directories)]
    var themes: [Theme] = []
    var seen: Set<String> = []
    while let name = names.first {
      names.removeFirst()
      guard seen.insert(name).inserted, seen.count < 16 else { continue }
      let places = bases.map { $0.appending(name) }
      var parents: [String] = []
      // The first index that is there counts.
      for place in places {
        guard let file = KeyFile(at: place.appending("index.theme")) else { continue }
        parents = file.list("Icon Theme", "Inherits", separator: ",")
        themes.append(Theme(places: places, directories: Self.directories(file)))
        break
      }
      names += parents
      if names.isEmpty { names = ["hicolor"].filter { !seen.contains($0) } }
    }
    self.themes = themes
    loose = bases + [FilePath("/usr/share/pixmaps")]
  }

  /// What the user chose in the settings of GTK, else GNOME's own.
  private static func chosen(_ directories: DesktopDirectories) -> String {
    for version in ["gtk-4.0", "gtk-3.0"] {
      let path = directories.configHome.appending(version).appending("settings.ini")
      let name = KeyFile(at: path)?.value("Settings", "gtk-icon-theme-name")
      // A name is no path.
      if let name, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") { return name }
    }
    return "Adwaita"
  }

  private static func directories(_ file: KeyFile) -> [Directory] {
    let names =
      file.list("Icon Theme", "Directories", separator: ",")
      + file.list("Icon Theme", "ScaledDirectories", separator: ",")
    return names.prefix(1000).compactMap { name in
      guard !name.contains(".."), let size = file.number(name, "Size") else { return nil }
      var directory = Directory(name: name)
      directory.size = size
      directory.least = file.number(name, "MinSize") ?? size
      directory.most = file.number(name, "MaxSize") ?? size
      directory.threshold = max(0, file.number(name, "Threshold") ?? 2)
      directory.scale = file.number(name, "Scale") ?? 1
      switch file.value(name, "Type") {
      case "Fixed": directory.kind = .fixed
      case "Scalable": directory.kind = .scalable
      default: break
      }
      return directory
    }
  }

  /// The file of the first of `names` that has one, for a size in pixels: a fitting one, else the nearest.
  package func file(_ names: [String], size: Int) -> FilePath? {
    for name in names where !name.contains("/") && !name.isEmpty {
      for theme in themes {
        if let file = find(name, size, theme) { return file }
      }
      for base in loose {
        if let file = file(base, name) { return file }
      }
    }
    return nil
  }

  private func find(_ name: String, _ size: Int, _ theme: Theme) -> FilePath? {
    let nearest = theme.directories.filter { $0.scale == 1 }
      .map { ($0, $0.distance(to: size)) }
      .sorted { $0.1 < $1.1 }
    for (directory, _) in nearest {
      for place in theme.places {
        if let file = file(place.appending(directory.name), name) { return file }
      }
    }
    return nil
  }

  private func file(_ directory: FilePath, _ name: String) -> FilePath? {
    for ending in [".png", ".svg", ".xpm"] {
      let path = directory.appending(name + ending)
      // Missing is the rule.
      if (try? FileStatus(of: path, followingLink: true))?.kind == .regular { return path }
    }
    return nil
  }
}
