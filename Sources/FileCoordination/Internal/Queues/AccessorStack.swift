import Foundation
import LinuxSystem

/// Whose accessors are running on a thread, innermost last.
enum AccessorStack {
  private final class Frames { var presenters: [ObjectIdentifier] = [] }
  private static let slot = ThreadSlot<Frames>()

  static var presentersOnThisThread: Set<ObjectIdentifier> {
    Set(slot.value?.presenters ?? [])
  }

  /// Runs an accessor on behalf of `presenter`.
  static func running<R, E: Error>(
    _ presenter: ObjectIdentifier?,
    _ accessor: () throws(E) -> R
  ) throws(E) -> R {
    guard let presenter else { return try accessor() }
    let frames = slot.value ?? Frames()
    slot.value = frames
    frames.presenters.append(presenter)
    defer { frames.presenters.removeLast() }
    return try accessor()
  }
}
