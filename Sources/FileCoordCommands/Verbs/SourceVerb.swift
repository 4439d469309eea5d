import FileCoordination
import Foundation
import LinuxSystem
import SourceAttribute

/// `filecoord source`: where a document came from.
enum SourceVerb: Verb {
  private static let identifier = OptionDescription(
    "identifier",
    argument: "ID",
    "set: the application"
  )
  private static let name = OptionDescription("name", argument: "NAME", "set: what people call it")
  private static let path = OptionDescription(
    "path",
    argument: "PATH",
    "set: the document's path in it"
  )
  private static let appInfo = OptionDescription(
    "app-info",
    argument: "URL",
    "set: a JSON file about its icons"
  )
  private static let remove = OptionDescription("remove", nil, "set: take it away")

  static let description = VerbDescription(
    "source",
    [
      "get [--json] FILE...",
      "set [--identifier=ID] [--name=NAME] [--path=PATH] [--app-info=URL] FILE",
      "set --remove FILE",
    ],
    "shows or sets which application a document came from",
    options: [.json, identifier, name, path, appInfo, remove, Coordination.timeout],
    details: """
      The application stands in the attribute user.x-document-source of the file. 'get' says
      nothing of a file that carries none. 'set' replaces all that it carries, while nobody
      else reads or writes the file.
      """
  )

  private struct Entry: Encodable {
    let file: String
    let identifier: String?
    let name: String?
    let path: String?
    let appInfoURL: String?
  }

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let words = arguments.operands
    switch (words.first?.string, words.count) {
    case ("get", 2...):
      for word in words.dropFirst() { try get(word, arguments, surroundings) }
    case ("set", 2): try set(words[1], arguments, surroundings)
    case ("get", _), ("set", _):
      throw CommandFailure(.usage, "wrong number of operands for '\(words[0])'")
    case (nil, 0): throw CommandFailure(.usage, "get or set?")
    default: throw CommandFailure(.usage, "unknown action '\(words[0])'")
    }
    return .success
  }

  private static func get(
    _ word: FilePath,
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws {
    let path = try Operand.path(word)
    _ = try Operand.existing(path, followingLink: true)
    guard let source = try DocumentSourceAttribute.read(from: path.urlOnDisk) else { return }
    let entry = Entry(
      file: "\(path)",
      identifier: source.bundleIdentifier,
      name: source.applicationName,
      path: source.documentPath,
      appInfoURL: source.appInfoURL?.absoluteString
    )
    if arguments.has(.json) { return try surroundings.output.encoded(JSONLine.encode(entry)) }
    try surroundings.output.line("\(path)")
    for (name, value) in [
      ("identifier", entry.identifier), ("name", entry.name), ("path", entry.path),
      ("app-info", entry.appInfoURL),
    ] {
      if let value { try surroundings.output.line("  \(name): \(value)") }
    }
  }

  private static func set(
    _ word: FilePath,
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws {
    let source = arguments.has(remove) ? nil : try Self.source(arguments)
    let path = try Operand.path(word)
    _ = try Operand.existing(path, followingLink: true)
    let item = try FileSystem.realPath(path)
    let coordination = try Coordination(arguments, surroundings)
    try coordination.run { coordinator in
      try coordinator.coordinate(
        writingItemAt: item.urlOnDisk,
        options: .contentIndependentMetadataOnly,
        timeout: coordination.timeLimit
      ) { url in
        guard let source else { return try DocumentSourceAttribute.remove(from: url) }
        try source.write(to: url)
      }
    }
  }

  /// What the options say.
  private static func source(_ arguments: ParsedArguments) throws -> DocumentSourceAttribute {
    let source = DocumentSourceAttribute(
      bundleIdentifier: try arguments.text(identifier),
      applicationName: try arguments.text(name),
      documentPath: try arguments.text(path),
      appInfoURL: try arguments.text(appInfo).map { text in
        guard let url = URL(string: text) else {
          throw CommandFailure(.usage, "invalid URL '\(text)' for --app-info")
        }
        return url
      }
    )
    guard source != DocumentSourceAttribute() else { throw CommandFailure(.usage, "set what?") }
    return source
  }
}
