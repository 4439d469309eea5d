extension UndoManager {
  /// A key of what clients attach to a group.
  ///
  /// Apple symbol: UndoManager.UserInfoKey.
  public struct UserInfoKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The key's text.
    public let rawValue: String
    /// A key with this text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A key with this text.
    public init(stringLiteral value: String) { rawValue = value }
  }
}
