import FileCoordination
import Foundation
import LinuxSystem

/// `filecoord cp`: a coordinated copy.
enum CopyVerb: Verb {
  private static let recursive = OptionDescription(
    "recursive",
    "r",
    "copy directories and everything in them, links as links"
  )

  static let description = VerbDescription(
    "cp",
    ["[OPTION]... SOURCE DESTINATION"],
    "copies an item after the programs that show it have saved it",
    options: [recursive, Coordination.timeout],
    details: """
      As cp(1): into DESTINATION if that is a directory, else to that name; a link is followed
      unless -r is given. A file that has the name keeps its permissions, owner and attributes
      and gets the new contents in one step: it is whole at any time, but other hard links to
      it keep the old contents. A new directory appears under its name when it is whole; into
      one that exists the copy is merged file by file.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let words = try arguments.pair()
    let isRecursive = arguments.has(recursive)
    var source = try Operand.path(words.source)
    let named = source
    if !isRecursive {
      _ = try Operand.existing(source, followingLink: true)
      source = try FileSystem.realPath(source)
    }
    let status = try Operand.existing(source)
    guard status.kind != .directory || isRecursive else {
      throw CommandFailure(.failure, "\(named): is a directory (-r copies directories)")
    }
    let destination = try Destination(
      words.destination,
      of: named,
      followingLink: status.kind == .regular
    )
    let copy = CoordinatedCopy(coordination: try Coordination(arguments, surroundings))
    try copy.copy(source, status, to: destination)
    return .success
  }
}

/// Copies item by item, each under its own claims.
struct CoordinatedCopy {
  let coordination: Coordination

  func copy(_ source: FilePath, _ status: FileStatus, to destination: Destination) throws {
    try destination.check(source, status)
    if status.kind == .directory, destination.existing?.kind == .directory {
      try merge(source, into: destination.path)
    } else {
      try copyWhole(source, status, to: destination)
    }
  }

  /// A directory onto one that exists: what is in both is looked at one level down.
  private func merge(_ source: FilePath, into target: FilePath) throws {
    for name in try FileSystem.list(source).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      try coordination.interruption.check()
      let inner = source.appending(name)
      // What vanished meanwhile is not there to be copied.
      guard let status = try Operand.status(inner) else { continue }
      try copy(inner, status, to: Destination(existingOrNew: target.appending(name)))
    }
  }

  private func copyWhole(
    _ source: FilePath,
    _ status: FileStatus,
    to destination: Destination
  ) throws {
    let isDirectory = status.kind == .directory
    try coordination.run { coordinator in
      try coordinator.coordinate(
        readingItemAt: source.url(isDirectory: isDirectory),
        options: [],
        writingItemAt: destination.path.url(isDirectory: isDirectory),
        options: destination.existing == nil ? [] : .forReplacing,
        timeout: coordination.timeLimit
      ) { from, to in
        try copyGranted(Operand.path(from), to: Operand.path(to), isDirectory, coordinator)
      }
    }
  }

  private func copyGranted(
    _ from: FilePath,
    to: FilePath,
    _ isDirectory: Bool,
    _ coordinator: NSFileCoordinator
  ) throws {
    let check = coordination.interruption.check
    let status = try Operand.existing(from)
    do {
      if status.kind == .regular {
        try FileCopy(source: from, target: to, check: check).run()
        return
      }
      var copy = TreeCopy(fidelity: .likeNew, check: check)
      // A read of the directory does not keep writers of the files in it out: each file has its own.
      if isDirectory {
        copy.reading = { path, body in
          try coordinator.coordinate(
            readingItemAt: path.url(),
            options: [],
            timeout: coordination.timeLimit
          ) { try body(Operand.path($0)) }
        }
      }
      let replacing = try Operand.status(to) != nil && status.kind == .link
      try SafePlacement.place(at: to, replacing: replacing) { try copy.copy(from, to: $0) }
    } catch let error as SystemError {
      throw CommandFailure(error, "cannot copy \(from) to \(to)", otherwise: .cannotCreate)
    }
  }
}
