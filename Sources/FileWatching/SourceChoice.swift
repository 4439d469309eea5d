import LinuxSystem

/// Where a monitor takes its records from.
package enum SourceChoice: Sendable {
  /// libinotifytools where the build has it and it is free, else inotify(7).
  case automatic
  /// libinotifytools, or polling where it cannot be had.
  case library
  /// inotify(7).
  case kernel
  /// One of the caller's, which throws ``SystemError``; called on the monitor's thread.
  case custom(@Sendable () throws -> any ChangeSource)

  /// Which of the two this build prefers.
  package static var preferred: SourceChoice {
    #if InotifyTools
    .library
    #else
    .kernel
    #endif
  }

  /// Makes the source.
  ///
  /// - Throws: EMFILE when the user has no inotify instance left or the process no descriptor; EBUSY
  ///   when the library is asked for and cannot be had.
  func open() throws(SystemError) -> any ChangeSource {
    switch self {
    case .custom(let make):
      do {
        return try make()
      } catch {
        throw error as? SystemError ?? SystemError("inotify_init", .invalid)
      }
    case .kernel: return try KernelSource()
    case .library:
      guard let source = try Self.library() else { throw SystemError("inotify_init", .busy) }
      return source
    case .automatic:
      if let source = try Self.library() { return source }
      return try KernelSource()
    }
  }

  private static func library() throws(SystemError) -> (any ChangeSource)? {
    #if InotifyTools
    return try LibrarySource()
    #else
    return nil
    #endif
  }
}
