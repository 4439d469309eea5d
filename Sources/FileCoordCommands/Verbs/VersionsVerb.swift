import CoordinationRuntime
import FileCoordination
import Foundation
import LinuxSystem
import VersionStore

/// `filecoord versions`: what was kept of items.
enum VersionsVerb: Verb {
  private static let json = OptionDescription("json", "j", "one JSON object per version")
  private static let days = OptionDescription(
    "older-than",
    argument: "DAYS",
    "prune: versions older than this (default 90)"
  )
  private static let keep = OptionDescription(
    "keep",
    argument: "COUNT",
    "prune: keep so many versions of an item at most (default 100)"
  )
  private static let size = OptionDescription(
    "max-size",
    argument: "MIB",
    "prune: keep so much of all items together at most (default 2048)"
  )
  private static let dryRun = OptionDescription("dry-run", "n", "prune: only say what would go")

  static let description = VerbDescription(
    "versions",
    [
      "list [--json] [PATH]", "show PATH ID", "restore [OPTION]... PATH ID",
      "prune [--older-than=DAYS] [--keep=COUNT] [--max-size=MIB] [--dry-run]",
    ],
    "lists, shows, restores and prunes versions of items",
    options: [json, days, keep, size, dryRun, Coordination.timeout],
    details: """
      Versions are what programs kept of an item: earlier contents, text that another program
      wrote at the same time (conflict), and unsaved text of an item that was deleted.
      'list' without PATH lists those of all items. 'restore' writes the item under
      coordination, after keeping what it has now as another version. Conflicts that are not
      resolved are never pruned.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let words = arguments.operands
    switch (words.first?.string, words.count) {
    case ("list", 1...2): try list(words.dropFirst().first, arguments, surroundings)
    case ("show", 3): try show(words[1], words[2])
    case ("restore", 3): try restore(words[1], words[2], arguments, surroundings)
    case ("prune", 1): try prune(arguments, surroundings)
    case ("list", _), ("show", _), ("restore", _), ("prune", _):
      throw CommandFailure(.usage, "wrong number of operands for '\(words[0])'")
    case (nil, 0): throw CommandFailure(.usage, "list, show, restore or prune?")
    default: throw CommandFailure(.usage, "unknown action '\(words[0])'")
    }
    return .success
  }

  // MARK: Actions

  private static func list(
    _ word: FilePath?,
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws {
    guard let store = try VersionStore.ifPresent() else { return }
    let versions = try word.map { try store.versions(of: item($0)) } ?? store.all()
    for version in versions {
      let entry = VersionEntry(version)
      if arguments.has(json) {
        try surroundings.output.encoded(JSONLine.encode(entry))
      } else {
        try surroundings.output.line(entry.line(withItem: word == nil))
      }
    }
  }

  private static func show(_ word: FilePath, _ id: FilePath) throws {
    let (store, version) = try find(word, id)
    let path = store.path(of: version)
    guard try FileStatus(of: path).kind == .regular else {
      throw CommandFailure(.failure, "\(path): is a package; its contents are there")
    }
    let file = try Descriptor.open(path, .readOnly)
    while true {
      let part = try file.read(upTo: 1 << 16)
      if part.isEmpty { return }
      try StandardStream.output.write(part)
    }
  }

  private static func restore(
    _ word: FilePath,
    _ id: FilePath,
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws {
    let (_, found) = try find(word, id)
    let path = try Operand.path(word)
    let coordination = try Coordination(arguments, surroundings)
    try coordination.run { coordinator in
      try coordinator.coordinate(
        writingItemAt: path.urlOnDisk,
        options: .forMerging,
        timeout: coordination.timeLimit
      ) { url in
        guard
          let version = NSFileVersion.version(
            ofItemAt: url,
            forPersistentIdentifier: "\(found.id)"
          )
        else { throw missing(word, id) }
        if try Operand.status(Operand.path(url)) != nil {
          try NSFileVersion.addOfItem(at: url, withContentsOf: url)
        }
        try version.replaceItem(at: url)
      }
    }
  }

  private static func prune(_ arguments: ParsedArguments, _ surroundings: Surroundings) throws {
    guard let store = try VersionStore.ifPresent() else { return }
    var limits = VersionLimits()
    if let days = try number(days, arguments) { limits.age = days * 24 * 3600 }
    if let keep = try number(keep, arguments) { limits.count = Int(keep) }
    if let size = try number(size, arguments) { limits.size = size << 20 }
    let gone =
      arguments.has(dryRun)
      ? limits.excess(of: try store.all(), now: Int64(WallClock.seconds))
      : try store.prune(limits)
    for version in gone {
      try surroundings.output.line(VersionEntry(version).line(withItem: true))
    }
  }

  // MARK: Words

  private static func item(_ word: FilePath) throws -> FilePath {
    try ItemResolver.shared.canonical(Operand.path(word), followingLink: false)
  }

  private static func find(_ word: FilePath, _ id: FilePath) throws -> (
    VersionStore, StoredVersion
  ) {
    guard let number = id.string.flatMap(StoredVersion.ID.init) else {
      throw CommandFailure(.usage, "'\(id)' is no number of a version")
    }
    guard let store = try VersionStore.ifPresent(),
      let version = try store.versions(of: item(word)).first(where: { $0.id == number })
    else { throw missing(word, id) }
    return (store, version)
  }

  private static func missing(_ word: FilePath, _ id: FilePath) -> CommandFailure {
    CommandFailure(.noSuchItem, "\(word): has no version \(id)")
  }

  private static func number(
    _ option: OptionDescription,
    _ arguments: ParsedArguments
  ) throws -> Int64? {
    guard let text = try arguments.text(option) else { return nil }
    guard let number = Int64(text), number >= 0, number < 1 << 40 else {
      throw CommandFailure(.usage, "invalid number '\(text)' for --\(option.long)")
    }
    return number
  }
}

/// A version as the command shows it.
struct VersionEntry: Encodable {
  let id: Int64
  let path: String
  let url: String
  let modified: String
  let size: Int64
  let kind: String
  let computer: String?

  init(_ version: StoredVersion) {
    id = version.id
    path = version.item.description
    url = version.item.url().absoluteString
    let time = version.modified
    let seconds = TimeInterval(time.seconds) + TimeInterval(time.nanoseconds) / 1e9
    modified = ClockTime.iso(Date(timeIntervalSince1970: seconds))
    size = version.size
    kind =
      version.isConflict ? (version.isResolved ? "resolved conflict" : "conflict") : "version"
    computer = version.computer
  }

  func line(withItem: Bool) -> String {
    var line = "\(id)  \(modified)  \(size) bytes  \(kind)"
    if let computer { line += " from \(computer)" }
    return withItem ? "\(line)  \(path)" : line
  }
}
