import LinuxSystem

extension Verb {
  /// Does one thing to each operand; one that fails is reported and keeps nobody from the next.
  ///
  /// The status is that of the first failure. `isTolerated` says which failures are none. An interruption
  /// ends it at once.
  static func forEach(
    of operands: [FilePath],
    _ surroundings: Surroundings,
    isTolerated: (CommandFailure) -> Bool = { _ in false },
    _ body: (FilePath) throws -> Void
  ) throws -> ExitStatus {
    var result = ExitStatus.success
    for word in operands {
      do {
        try surroundings.interruption.check()
        try body(word)
      } catch {
        let failure = CommandFailure(reporting: error)
        if isTolerated(failure) { continue }
        if surroundings.interruption.signal != nil { throw failure }
        surroundings.report(failure, in: description.name)
        if result == .success { result = failure.status }
      }
    }
    return result
  }
}
