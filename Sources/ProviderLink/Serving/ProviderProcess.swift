package import LinuxSystem

/// What this process is, if it was started as a provider's.
package enum ProviderProcess {
  /// The provider whose process this is; nil in every other.
  package static let identifier: String? = {
    guard Environment.value(of: ProviderStarter.socketVariable) != nil else { return nil }
    return Environment.value(of: ProviderStarter.identifierVariable)?.string
  }()

  /// The socket that whoever started it left open, taken once; nil where none is.
  package static func takeListener() -> Descriptor? {
    let isFirst = isTaken.withLock { taken in
      defer { taken = true }
      return !taken
    }
    guard isFirst,
      let text = Environment.value(of: ProviderStarter.socketVariable)?.string,
      let number = CInt(text), number > 2,
      // What is open under the number has to be a socket that listens.
      (try? FileStatus(ofNumber: number))?.kind == .other
    else { return nil }
    var listener = Descriptor(owning: number)
    listener.closeInForkedChild()
    return listener
  }
  private static let isTaken = Mutex(false)
}
