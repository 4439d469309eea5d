import FileCoordination
import Foundation
import LinuxSystem

/// `filecoord rm`: coordinated deletion.
enum RemoveVerb: Verb {
  private static let recursive = OptionDescription(
    "recursive",
    "r",
    "delete directories and everything in them"
  )
  private static let force = OptionDescription("force", "f", "a missing PATH is no error")

  static let description = VerbDescription(
    "rm",
    ["[OPTION]... PATH..."],
    "deletes items after the programs that show them have agreed",
    options: [recursive, force, Coordination.timeout],
    details: """
      Each PATH is claimed and deleted by itself; one that fails does not keep the next from
      being deleted, and the exit status is that of the first failure. Links are deleted, not
      followed. A program that presents an item can refuse: then the item stays.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    guard !arguments.operands.isEmpty || arguments.has(force) else {
      throw CommandFailure(.usage, "no PATH")
    }
    let coordination = try Coordination(arguments, surroundings)
    return try forEach(
      of: arguments.operands,
      surroundings,
      isTolerated: { $0.status == .noSuchItem && arguments.has(force) }
    ) { word in
      try remove(word, arguments, coordination)
    }
  }

  private static func remove(
    _ word: FilePath,
    _ arguments: ParsedArguments,
    _ coordination: Coordination
  ) throws {
    let path = try Operand.pathToTake(word, "delete")
    try check(try Operand.existing(path), path, arguments)
    try coordination.run { coordinator in
      try coordinator.coordinate(
        writingItemAt: path.urlOnDisk,
        options: .forDeleting,
        timeout: coordination.timeLimit
      ) { url in
        let path = try Operand.path(url)
        let status = try Operand.existing(path)
        // It may be something else by now.
        try check(status, path, arguments)
        try delete(path, status, coordination.interruption)
      }
    }
  }

  private static func check(
    _ status: FileStatus,
    _ path: FilePath,
    _ arguments: ParsedArguments
  ) throws {
    if status.kind == .directory, !arguments.has(recursive) {
      throw CommandFailure(.failure, "\(path): is a directory (-r deletes directories)")
    }
  }

  private static func delete(
    _ path: FilePath,
    _ status: FileStatus,
    _ interruption: Interruption
  ) throws {
    try interruption.check()
    guard status.kind == .directory else { return try FileSystem.removeFile(path) }
    for name in try FileSystem.list(path) {
      let inner = path.appending(name)
      // What somebody else deleted meanwhile is gone as wished.
      guard let status = try Operand.status(inner) else { continue }
      try delete(inner, status, interruption)
    }
    try FileSystem.removeDirectory(path)
  }
}
