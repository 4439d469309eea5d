package import Foundation
import LinuxSystem

extension NSFileCoordinator {
  /// One item of an access that a child process takes over.
  package struct InheritedItem {
    let item: AccessItem
    package static func reading(_ url: URL, _ options: ReadingOptions) -> InheritedItem {
      InheritedItem(item: AccessItem(url: url, access: .reading(options)))
    }
    package static func writing(_ url: URL, _ options: WritingOptions) -> InheritedItem {
      InheritedItem(item: AccessItem(url: url, access: .writing(options)))
    }
  }

  /// Runs `body` inside one access whose locks a child process can inherit.
  ///
  /// The descriptors that `body` gets hold the locks by themselves, each through an open file
  /// description of its own: a child that inherits them keeps the access alive when this process dies.
  /// They are closed here afterwards, never unlocked. Blocks the calling thread.
  /// - Throws: ``CoordinationError`` if access was not granted; else whatever `body` throws.
  package func withInheritableAccess<T>(
    to items: [InheritedItem],
    timeout: Duration?,
    _ body: ([URL], [CInt]) throws -> T
  ) throws -> T {
    let deadline = timeout.map { MonotonicInstant.now + $0 }
    let access = CoordinatedAccess(core, items.map(\.item), deadline: deadline, isInheritable: true)
    try access.begin()
    defer { access.finish() }
    return try access.run { try body($0, access.inheritableDescriptors) }
  }
}
