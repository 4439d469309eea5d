package import LinuxSystem

/// What a provider's process can do: called on the server's thread, so nothing here blocks.
package protocol ProviderHost: AnyObject, Sendable {
  typealias Completion = @Sendable (ProviderFault?) -> Void

  /// Puts the item's contents where they belong, then completes, from any thread.
  func provide(_ item: FilePath, _ completion: @escaping Completion)
  /// Writes a placeholder, then completes.
  func makePlaceholder(_ item: FilePath, _ completion: @escaping Completion)
  /// Hears that an item was written; completes when it has taken that in.
  func changed(_ item: FilePath, _ completion: @escaping Completion)
  /// Nobody uses the item: it may go, if that is still so when nobody can begin to.
  ///
  /// Completes with true when it was let go of, false where it was in use after all.
  func stop(_ item: FilePath, _ completion: @escaping @Sendable (Bool) -> Void)
  /// Something for the picker; `conversation` tells its users apart.
  func picker(
    _ request: [UInt8],
    in conversation: UInt64,
    _ answer: @escaping @Sendable (Result<[UInt8], ProviderFault>) -> Void
  )
  /// A user of the picker is gone.
  func pickerEnded(_ conversation: UInt64)
}
