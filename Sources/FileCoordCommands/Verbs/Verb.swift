import LinuxSystem

/// Something that `filecoord` can do.
protocol Verb {
  static var description: VerbDescription { get }
  /// Does it; blocks the calling thread until it is done.
  ///
  /// - Throws: ``CommandFailure`` and whatever it can be made of.
  static func run(_ arguments: ParsedArguments, _ surroundings: Surroundings) throws -> ExitStatus
}

/// What a verb may touch besides files.
struct Surroundings: Sendable {
  let output: Output
  let errors: Output
  let interruption: Interruption

  /// Says what went wrong, in one line.
  func report(_ failure: CommandFailure, in verb: String?) {
    let line = failure.description.split(separator: "\n").joined(separator: " ")
    // With standard error closed there is nobody left to tell.
    try? errors.line("filecoord: \(verb.map { "\($0): " } ?? "")\(line)")
  }
}
