// Stand-in until the layer lands: delete this file in the merge that brings the real types.
package import LinuxSystem
package struct WatchToken: Hashable, Sendable {}
package struct WindowID: Hashable, Sendable {}
package enum ChangeEvent: Sendable { case itemChanged, itemAttributesChanged, itemMoved(to: FilePath), itemDeleted, itemReturned, subitemAppeared(FilePath), subitemChanged(FilePath), subitemDeleted(FilePath), subitemMoved(from: FilePath, to: FilePath), becameDegraded(String), recovered }
package final class ChangeMonitor: Sendable {
  package enum Scope: Sendable { case item, tree }
  package static let shared = ChangeMonitor()
  package func watch(_ p: FilePath, scope: Scope, _ h: @escaping @Sendable (ChangeEvent) -> Void) -> WatchToken { WatchToken() }
  package func unwatch(_ t: WatchToken) {}
  package func retarget(_ t: WatchToken, to: FilePath) {}
  package func openWindow(over: [FilePath]) -> WindowID { WindowID() }
  package func closeWindow(_ w: WindowID, _ d: @escaping @Sendable () -> Void) { d() }
}
