package import CoordinationRuntime
package import LinuxSystem

/// An accessor is about to run: changes of these paths are its doing from now on.
///
/// Not answered.
package struct WriteBegin: Sendable, Hashable {
  package var claim: ClaimID
  package var paths: [FilePath]

  package init(claim: ClaimID, paths: [FilePath]) {
    self.claim = claim
    self.paths = paths
  }
}

/// An accessor returned: what it did.
///
/// Answered by ``LinkMessage/noted``.
package struct FinishMessage: Sendable, Hashable {
  package var claim: ClaimID
  package var notices: [Notice]

  package init(claim: ClaimID, notices: [Notice]) {
    self.claim = claim
    self.notices = notices
  }
}

/// One thing that an accessor did to an item.
///
/// Paths are canonical.
package enum Notice: Sendable, Hashable {
  case changed(FilePath)
  case appeared(FilePath)
  /// - wasAccommodated: its presenters were asked to accommodate the deletion beforehand.
  case deleted(FilePath, wasAccommodated: Bool)
  /// From, to.
  case moved(FilePath, FilePath)
  /// Ubiquity attributes changed, by the names of their resource keys.
  case ubiquity(FilePath, [String])
  /// A version was gained, lost or resolved; what `payload` means is the upper layer's business.
  case version(FilePath, kind: UInt8, payload: [UInt8])
}

/// An error as it crosses from one process to another.
package struct WireError: Error, Sendable, Hashable {
  package var domain: String
  package var code: Int
  /// The entries of the user info that are text.
  package var strings: [String: String]

  package init(domain: String, code: Int, strings: [String: String] = [:]) {
    self.domain = domain
    self.code = code
    self.strings = strings
  }
}
