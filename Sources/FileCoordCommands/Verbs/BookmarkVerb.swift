import FileCoordination
import Foundation
import LinuxSystem

/// `filecoord bookmark`: files that find an item again.
enum BookmarkVerb: Verb {
  private static let force = OptionDescription("force", "f", "create: replace a file that is there")

  static let description = VerbDescription(
    "bookmark",
    ["create [--force] ITEM BOOKMARK", "resolve [--json] BOOKMARK", "show [--json] BOOKMARK"],
    "makes, follows and shows bookmarks of items",
    options: [force, .json],
    details: """
      A bookmark finds its item after it was renamed or its directory was. 'resolve' shows
      where the item is now; exit status 66 if it is not found. A bookmark that is stale
      should be made anew. 'show' says what the bookmark knows without a look at the item.
      """
  )

  private struct Found: Encodable {
    let path: String
    let url: String
    let stale: Bool
  }
  private struct Known: Encodable {
    let path: String
    let kind: String
  }

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let words = arguments.operands
    switch (words.first?.string, words.count) {
    case ("create", 3): try create(words[1], words[2], arguments)
    case ("resolve", 2): try resolve(words[1], arguments, surroundings)
    case ("show", 2): try show(words[1], arguments, surroundings)
    case ("create", _), ("resolve", _), ("show", _):
      throw CommandFailure(.usage, "wrong number of operands for '\(words[0])'")
    case (nil, 0): throw CommandFailure(.usage, "create, resolve or show?")
    default: throw CommandFailure(.usage, "unknown action '\(words[0])'")
    }
    return .success
  }

  private static func create(
    _ item: FilePath,
    _ place: FilePath,
    _ arguments: ParsedArguments
  ) throws {
    let item = try Operand.path(item)
    let place = try Operand.path(place)
    if try Operand.status(place) != nil, !arguments.has(force) {
      throw CommandFailure(.cannotCreate, "\(place): is there already; --force replaces it")
    }
    let data = try item.urlOnDisk.bookmarkData(options: .suitableForBookmarkFile)
    try URL.writeBookmarkData(data, to: place.url())
  }

  private static func data(_ word: FilePath) throws -> Data {
    let place = try Operand.path(word)
    _ = try Operand.existing(place)
    return try URL.bookmarkData(withContentsOf: place.url())
  }

  private static func resolve(
    _ word: FilePath,
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws {
    var isStale = false
    let url = try URL(
      resolvingBookmarkData: data(word),
      options: .withoutImplicitStartAccessing,
      bookmarkDataIsStale: &isStale
    )
    let path = try Operand.path(url)
    if arguments.has(.json) {
      let found = Found(path: "\(path)", url: url.absoluteString, stale: isStale)
      try surroundings.output.encoded(JSONLine.encode(found))
    } else {
      try surroundings.output.path(path, isStale ? "  (stale)" : "")
    }
  }

  private static func show(
    _ word: FilePath,
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws {
    let keys: [URLResourceKey] = [.pathKey, .isDirectoryKey]
    guard let values = NSURL.resourceValues(forKeys: keys, fromBookmarkData: try data(word)),
      let path = values[.pathKey] as? String
    else { throw CommandFailure(.failure, "\(word): says nothing") }
    let known = Known(
      path: path,
      kind: values[.isDirectoryKey] as? Bool == true ? "directory" : "file"
    )
    if arguments.has(.json) { return try surroundings.output.encoded(JSONLine.encode(known)) }
    try surroundings.output.line("\(known.path)  \(known.kind)")
  }
}
