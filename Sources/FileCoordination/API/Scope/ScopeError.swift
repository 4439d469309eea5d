import LinuxSystem

/// Ours: why a confined program did not get a file.
public enum ScopeError: Error, Sendable, CustomStringConvertible {
  /// This process is not confined and has no broker to ask.
  case notConfined
  /// The broker's process ended; start the program anew.
  case brokerGone
  /// The file was not given to this program.
  case denied(String)
  /// The broker could not do it; the text says what it tried.
  case brokerFailed(String)

  /// What was asked for, and why it was not given.
  public var description: String {
    switch self {
    case .notConfined: "this process is not confined: it has no broker to ask for files"
    case .brokerGone: "the broker that gives files to this program has ended"
    case .denied(let text), .brokerFailed(let text): text
    }
  }

  init(_ outcome: BrokerMessage.Reply.Outcome, _ path: FilePath) {
    switch outcome {
    case .denied(let text): self = .denied("\(path): \(text)")
    case .failed(let text): self = .brokerFailed("\(path): \(text)")
    default: self = .brokerFailed("\(path): the broker answered something else")
    }
  }
}
