package import LinuxSystem

/// Looks icons up by name and size, as the Icon Theme Specification says.
///
/// Reads the `index.theme` files and lists the directories once, when it is made.
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
  /// A file with an icon: how good its place and its kind are, less is better.
  private struct Picture: Sendable {
    let directory: Int
    let rank: Int
    let file: FilePath
  }
  private struct Theme: Sendable {
    let directories: [Directory]
    /// All its pictures by name: looking for each file that might be there takes seconds.
    let pictures: [String: [Picture]]
  }

  private let themes: [Theme]
  private let loose: [String: [Picture]]

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
      // The first index that is there counts.
      for place in places {
        guard let file = KeyFile(at: place.appending("index.theme")) else { continue }
        names += file.list("Icon Theme", "Inherits", separator: ",")
          .filter { !$0.contains("/") && !$0.hasPrefix(".") }
        themes.append(Self.theme(file, places))
        break
      }
      if names.isEmpty { names = ["hicolor"].filter { !seen.contains($0) } }
    }
    self.themes = themes
    var loose: [String: [Picture]] = [:]
    for (index, base) in (bases + [FilePath("/usr/share/pixmaps")]).enumerated() {
      Self.collect(base, directory: 0, place: index, into: &loose)
    }
    self.loose = loose
  }

  private static func theme(_ file: KeyFile, _ places: [FilePath]) -> Theme {
    let directories = directories(file)
    var pictures: [String: [Picture]] = [:]
    for (number, directory) in directories.enumerated() where directory.scale == 1 {
      for (index, place) in places.enumerated() {
        collect(place.appending(directory.name), directory: number, place: index, into: &pictures)
      }
    }
    return Theme(directories: directories, pictures: pictures)
  }

  private static let endings = [".png", ".svg", ".xpm"]

  private static func collect(
    _ place: FilePath,
    directory: Int,
    place rank: Int,
    into pictures: inout [String: [Picture]]
  ) {
    // Missing is the rule.
    for bytes in (try? FileSystem.list(place)) ?? [] {
      guard let name = String(validating: bytes, as: UTF8.self),
        let kind = endings.firstIndex(where: name.hasSuffix)
      else { continue }
      let picture = Picture(
        directory: directory,
        rank: rank * endings.count + kind,
        file: place.appending(bytes)
      )
      pictures[String(name.dropLast(4)), default: []].append(picture)
    }
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
    for name in names {
      for theme in themes {
        let best = (theme.pictures[name] ?? []).min {
          (theme.directories[$0.directory].distance(to: size), $0.directory, $0.rank)
            < (theme.directories[$1.directory].distance(to: size), $1.directory, $1.rank)
        }
        if let best { return best.file }
      }
      if let best = loose[name]?.min(by: { $0.rank < $1.rank }) { return best.file }
    }
    return nil
  }
}
