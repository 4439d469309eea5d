package import LinuxSystem

/// Where declarations, states and storages of file providers lie.
///
/// - SeeAlso: XDG Base Directory Specification
package enum ProviderDirectories {
  private static let name = "document-providers"

  /// Where a user's own data lies.
  package static var dataHome: FilePath? { home("XDG_DATA_HOME", [".local", "share"]) }

  /// Where declarations are looked for; who comes first wins.
  package static var declarations: [FilePath] {
    let shared =
      Environment.value(of: "XDG_DATA_DIRS").flatMap { $0.count > 0 ? $0 : nil }
      ?? FilePath("/usr/local/share:/usr/share")
    let directories = shared.bytes.split(separator: UInt8(ascii: ":")).map { FilePath(bytes: $0) }
    return ((dataHome.map { [$0] } ?? []) + directories.filter(\.isAbsolute))
      .map { $0.appending(name) }
  }

  /// Where the choices of the user are kept.
  package static var state: FilePath? {
    home("XDG_STATE_HOME", [".local", "state"])?.appending(name)
  }

  /// The folder that a provider shares with its users.
  package static func storage(ofGroup group: String) -> FilePath? {
    dataHome?.appending(group).appending("File Provider Storage")
  }

  private static func home(_ variable: String, _ fallBack: [String]) -> FilePath? {
    // A relative path there is to be ignored, says the specification.
    if let value = Environment.value(of: variable), value.isAbsolute { return value }
    let home = Environment.value(of: "HOME").flatMap { $0.isAbsolute ? $0 : nil }
    guard let home = home ?? Environment.home else { return nil }
    return fallBack.reduce(home) { $0.appending($1) }
  }
}
