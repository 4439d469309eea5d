import Foundation
package import LinuxSystem

/// What the user chose: which providers are switched off, which were used last, and where.
package struct ProviderChoices: Codable, Hashable, Sendable {
  /// What is switched off; everything else is on.
  package var disabled: Set<String> = []
  /// Identifiers by last use, the last one first, per group of modes.
  package var used: [String: [String]] = [:]
  /// The folder of the last pick, as the text of a file URL, per provider.
  package var folders: [String: String] = [:]

  package init() {}

  private static let file = "state.json"
  private static let sizeLimit = 1 << 20

  /// What is kept; nothing where nothing is kept, or what is kept is damaged.
  package static func load() -> ProviderChoices {
    guard let directory = ProviderDirectories.state,
      let file = try? Descriptor.open(directory.appending(file), [.readOnly, .nonBlocking]),
      let bytes = try? file.read(upTo: sizeLimit),
      let choices = try? JSONDecoder().decode(ProviderChoices.self, from: Data(bytes))
    else { return ProviderChoices() }  // Choices are made again; nothing else depends on them.
    return choices
  }

  /// Changes what is kept, one process at a time, and replaces the file in one step.
  ///
  /// Blocks while another process does.
  package static func change(_ body: (inout ProviderChoices) -> Void) throws {
    guard let directory = ProviderDirectories.state else {
      throw SystemError("getpwuid_r", .noEntry, on: "the home directory")
    }
    try FileSystem.makeDirectories(directory)
    let lock = try Descriptor.open(
      directory.appending("state.lock"),
      [.readWrite, .create, .noFollow]
    )
    try lock.lock(.exclusive)
    var choices = load()
    let before = choices
    body(&choices)
    guard choices != before else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try FileSystem.replace(directory.appending(file), with: Array(try encoder.encode(choices)))
  }

  /// Notes a use.
  package mutating func noteUse(of identifier: String, group: String, folder: String?) {
    var list = used[group] ?? []
    list.removeAll { $0 == identifier }
    used[group] = [identifier] + list.prefix(99)
    if let folder { folders[identifier] = folder }
  }
}

extension FileSystem {
  /// Gives a name new contents in one step: the old or the new is there, whoever dies.
  package static func replace(_ path: FilePath, with bytes: [UInt8]) throws(SystemError) {
    guard let name = path.lastComponent, let parent = path.parent else {
      throw SystemError("rename", .invalid).about(path)
    }
    let unique = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let temporary = parent.appending(
      Array(".".utf8) + name.prefix(200) + Array(".\(unique)".utf8)
    )
    let file = try Descriptor.open(temporary, [.writeOnly, .create, .exclusive], mode: 0o600)
    do throws(SystemError) {
      try file.write(bytes)
      try rename(temporary, to: path)
    } catch {
      // What could not be written must not stay; that it stays is the smaller trouble.
      try? removeFile(temporary)
      throw error
    }
  }
}
