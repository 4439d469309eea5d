/// What claims are made for: claims of one purpose never wait for each other, in any process.
///
/// Apple symbol: NSFileCoordinator.purposeIdentifier.
package struct Purpose: Hashable, Sendable {
  /// The text that is compared.
  package let identifier: String
  /// Whether other processes may use the same text (a client set it); a generated one is unique, so
  /// nobody need look for partners elsewhere.
  package let mayBeShared: Bool

  package init(identifier: String, mayBeShared: Bool) {
    self.identifier = identifier
    self.mayBeShared = mayBeShared
  }
}
