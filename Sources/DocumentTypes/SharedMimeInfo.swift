public import Foundation
import LinuxSystem

/// The MIME types that are installed on this machine, as the shared MIME-info database lists them.
///
/// Reads `globs2`, `aliases` and `subclasses` below the `mime` folders of the XDG data directories,
/// once, at the first question, which blocks for some milliseconds. Missing or damaged files count as
/// empty.
public final class SharedMimeInfo: Sendable {
  /// The database of this process's environment.
  public static let shared = SharedMimeInfo(dataDirectories: dataDirectories())

  private struct Tables: Sendable {
    /// Types by what stands behind the dot, heaviest first.
    var byExtension: [String: [(weight: Int, type: String)]] = [:]
    var byName: [String: String] = [:]
    var extensions: [String: [String]] = [:]
    var aliases: [String: String] = [:]
    var parents: [String: [String]] = [:]
  }
  private let directories: [URL]
  private let tables = Mutex<Tables?>(nil)

  /// A database of these data directories, the first with precedence.
  public init(dataDirectories: [URL]) { directories = dataDirectories }

  /// The type that a file's name tells, or nil.
  public func mimeType(forFileName name: String) -> String? {
    with { tables in
      if let type = tables.byName[name] { return type }
      // The longest extension wins: `.tar.gz` before `.gz`.
      var rest = name.lowercased()[...]
      while let dot = rest.firstIndex(of: ".") {
        rest = rest[rest.index(after: dot)...]
        if let type = tables.byExtension[String(rest)]?.first?.type { return type }
      }
      return nil
    }
  }

  /// The type that an extension stands for, or nil.
  public func mimeType(forExtension name: String) -> String? {
    with { $0.byExtension[name.lowercased()]?.first?.type }
  }

  /// The extensions of a type's files.
  public func extensions(of type: String) -> [String] {
    with { $0.extensions[$0.aliases[type] ?? type] ?? [] }
  }

  /// The name that a type goes by here.
  public func canonical(_ type: String) -> String { with { $0.aliases[type] ?? type } }

  /// Whether all files of one type are of another as well.
  public func isSubclass(_ type: String, of other: String) -> Bool {
    with { tables in
      let goal = tables.aliases[other] ?? other
      var open = [tables.aliases[type] ?? type]
      var seen: Set<String> = []
      while let current = open.popLast() {
        if current == goal { return true }
        guard seen.insert(current).inserted else { continue }
        open += tables.parents[current] ?? []
        if current.hasPrefix("text/"), current != "text/plain" { open.append("text/plain") }
        if !current.hasPrefix("inode/") { open.append("application/octet-stream") }
      }
      return false
    }
  }

  private func with<R: Sendable>(_ body: (Tables) -> R) -> R {
    tables.withLock { tables in
      let loaded = tables ?? load()
      tables = loaded
      return body(loaded)
    }
  }

  private func load() -> Tables {
    var tables = Tables()
    // From the least to the most important, so that the latter has the last word.
    for directory in directories.reversed() {
      let mime = directory.appendingPathComponent("mime")
      for line in Self.lines(mime.appendingPathComponent("globs2")) { Self.addGlob(line, &tables) }
      for line in Self.lines(mime.appendingPathComponent("aliases")) {
        let words = line.split(separator: " ")
        if words.count == 2 { tables.aliases[String(words[0])] = String(words[1]) }
      }
      for line in Self.lines(mime.appendingPathComponent("subclasses")) {
        let words = line.split(separator: " ")
        if words.count == 2 {
          tables.parents[String(words[0]), default: []].append(String(words[1]))
        }
      }
    }
    for (key, types) in tables.byExtension {
      tables.byExtension[key] = types.sorted { $0.weight > $1.weight }
    }
    return tables
  }

  /// `weight:type:glob[:flags]`; globs other than a name or a star and an extension are left out.
  private static func addGlob(_ line: Substring, _ tables: inout Tables) {
    let fields = line.split(separator: ":", maxSplits: 3)
    guard fields.count >= 3, let weight = Int(fields[0]), !line.hasPrefix("#") else { return }
    let (type, glob) = (String(fields[1]), fields[2])
    if glob.hasPrefix("*.") {
      let name = String(glob.dropFirst(2)).lowercased()
      guard !name.contains(where: { "*?[".contains($0) }) else { return }
      tables.byExtension[name, default: []].append((weight, type))
      tables.extensions[type, default: []].append(name)
    } else if !glob.contains(where: { "*?[".contains($0) }) {
      tables.byName[String(glob)] = type
    }
  }

  private static func lines(_ file: URL) -> [Substring] {
    // A database that is not there says nothing.
    guard let data = try? Data(contentsOf: file) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }

  private static func dataDirectories() -> [URL] {
    let environment = ProcessInfo.processInfo.environment
    let home =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? NSHomeDirectory() + "/.local/share"
    let others = environment["XDG_DATA_DIRS"] ?? ""
    let rest = others.isEmpty ? "/usr/local/share:/usr/share" : others
    return ([home] + rest.split(separator: ":").map(String.init))
      .filter { $0.hasPrefix("/") }
      .map { URL(fileURLWithPath: $0, isDirectory: true) }
  }
}
