import FileCoordination
import Foundation
import LinuxSystem

/// `filecoord mv`: a coordinated move or renaming.
enum MoveVerb: Verb {
  static let description = VerbDescription(
    "mv",
    ["[OPTION]... SOURCE DESTINATION"],
    "moves or renames an item; programs that show it follow it",
    options: [Coordination.timeout],
    details: """
      As mv(1): into DESTINATION if that is a directory, else to that name; a file that has
      the name is replaced in one step, a directory only if it is empty. To another file
      system the item is copied with everything that belongs to it, put under its new name
      whole, and then deleted here. Programs that present SOURCE are told where it is now,
      those that present a replaced DESTINATION are asked to let it go.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let words = try arguments.pair()
    let source = try Operand.pathToTake(words.source, "move")
    let status = try Operand.existing(source)
    let destination = try Destination(words.destination, of: source, followingLink: false)
    try destination.check(source, status, allowingRespelling: true)
    let coordination = try Coordination(arguments, surroundings)
    let replacing: NSFileCoordinator.WritingOptions =
      destination.existing == nil ? [] : .forReplacing
    try coordination.run { coordinator in
      try coordinator.coordinate(
        writingItemAt: source.urlOnDisk,
        options: .forMoving,
        writingItemAt: destination.path.url(isDirectory: status.kind == .directory),
        options: replacing,
        timeout: coordination.timeLimit
      ) { old, new in
        let (from, to) = (try Operand.path(old), try Operand.path(new))
        _ = try Operand.existing(from)
        coordinator.item(at: old, willMoveTo: new)
        try move(from, to: to, surroundings.interruption)
        coordinator.item(at: old, didMoveTo: new)
      }
    }
    return .success
  }

  private static func move(_ from: FilePath, to: FilePath, _ interruption: Interruption) throws {
    do {
      try FileSystem.rename(from, to: to)
    } catch  where error.code == .crossDevice {
      try moveAcross(from, to: to, interruption)
    } catch {
      throw CommandFailure(error, "cannot move \(from) to \(to)", otherwise: .cannotCreate)
    }
  }

  /// Nothing is deleted before the copy stands under its name, whole.
  private static func moveAcross(
    _ from: FilePath,
    to: FilePath,
    _ interruption: Interruption
  ) throws {
    // One file that is seen through two mounts: its copy would replace it, and then be deleted.
    if let there = try Operand.status(to), try FileStatus(of: from).isSameFile(as: there) {
      throw CommandFailure(.failure, "\(from) and \(to) are the same file")
    }
    try TreeCopy.checkKinds(in: from)
    let copy = TreeCopy(fidelity: .exact, check: interruption.check)
    do {
      try SafePlacement.place(at: to, replacing: true) { try copy.copy(from, to: $0) }
    } catch let error as SystemError {
      throw CommandFailure(error, "cannot move \(from) to \(to)", otherwise: .cannotCreate)
    }
    do {
      try FileSystem.removeTree(from)
    } catch {
      throw CommandFailure(
        error,
        "\(to) is complete, but \(from) could not be removed",
        otherwise: .failure
      )
    }
  }
}

extension ParsedArguments {
  /// The operand of a verb that takes one.
  func single(_ name: String) throws -> FilePath {
    guard let first = operands.first else { throw CommandFailure(.usage, "no \(name)") }
    guard operands.count == 1 else {
      throw CommandFailure(.usage, "extra operand '\(operands[1])'")
    }
    return first
  }

  /// The two operands of a verb that takes two.
  func pair() throws -> (source: FilePath, destination: FilePath) {
    guard let source = operands.first else { throw CommandFailure(.usage, "no SOURCE") }
    guard operands.count > 1 else { throw CommandFailure(.usage, "no DESTINATION") }
    guard operands.count == 2 else {
      throw CommandFailure(.usage, "extra operand '\(operands[2])'")
    }
    return (source, operands[1])
  }
}
