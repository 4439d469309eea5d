/// What the command says to the shell; sysexits.h lends the numbers.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
  let rawValue: Int32

  static let success = ExitStatus(rawValue: 0)
  /// Something failed for which there is no number of its own.
  static let failure = ExitStatus(rawValue: 1)
  static let usage = ExitStatus(rawValue: 64)
  static let noSuchItem = ExitStatus(rawValue: 66)
  static let cannotCreate = ExitStatus(rawValue: 73)
  static let timeLimit = ExitStatus(rawValue: 75)
  static let notPermitted = ExitStatus(rawValue: 77)
  /// The program after `--` was found but could not be run, as env(1) has it.
  static let cannotRun = ExitStatus(rawValue: 126)
  /// The program after `--` was not found, as env(1) has it.
  static let notFound = ExitStatus(rawValue: 127)

  /// Ended by a signal: 130 for SIGINT.
  static func signalled(_ number: Int32) -> ExitStatus { ExitStatus(rawValue: 128 + number) }
}
