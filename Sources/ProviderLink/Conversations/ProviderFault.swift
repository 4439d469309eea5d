package import LinuxSystem

/// An error as it crosses from a provider's process to another: domain, code and texts.
package struct ProviderFault: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  package let domain: String
  package let code: Int
  /// What of the user info is text.
  package let texts: [String: String]

  package init(domain: String, code: Int, texts: [String: String]) {
    self.domain = domain
    self.code = code
    self.texts = texts
  }

  package var description: String {
    texts["NSLocalizedDescription"] ?? "\(domain) \(code)"
  }
}

/// Why a provider could not be asked, or did not do what it was asked for.
package enum ProviderFailure: Error, Sendable {
  /// It said no.
  case refused(ProviderFault)
  /// Its program cannot be started.
  case cannotStart(SystemError)
  /// Its process ended, or was killed, before it had answered.
  case died
  /// It did not begin to listen in time.
  case silent
  /// It does not speak as it must.
  case garbled
  /// Whoever asked does not want it any more.
  case cancelled
  /// The time limit of the access passed.
  case timedOut
  /// It could not be reached for want of something.
  case unreachable(SystemError)
}
