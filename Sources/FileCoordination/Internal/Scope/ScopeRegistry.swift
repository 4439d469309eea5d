import CoordinationRuntime
package import Foundation
import LinuxSystem

/// Which paths carry access in this process, and how often it was begun.
///
/// A URL has no room for a payload, so access belongs to paths: the path that was granted and all
/// below it. Backend and counts change under one lock; opening happens outside of it.
package final class ScopeRegistry: Sendable {
  package static let shared = ScopeRegistry()
  /// A sanity limit as other systems have it; beyond it nothing is held, but everything works.
  private static let heldLimit = 512

  fileprivate struct Entry: Sendable {
    var starts = 0
    var hold: SharedDescriptor?
  }
  fileprivate struct State: Sendable {
    var entries: [FilePath: Entry] = [:]
    var held = 0
  }
  private let state = Mutex(State())
  private let broker: @Sendable () -> BrokerConnection?

  init(broker: @escaping @Sendable () -> BrokerConnection? = { BrokerConnection.shared }) {
    self.broker = broker
  }

  /// How this process reaches a path.
  private func backend(for path: FilePath) -> any ScopeBackend {
    if PortalPaths.place(of: path) != nil { return PortalScope() }
    if let broker = broker() { return BrokerScope(broker: broker) }
    return AmbientScope()
  }

  /// Access to an item was given: by a bookmark, a picker, a provider.
  package func grant(_ url: URL) {
    guard let path = Self.path(url) else { return }
    state.withLock { state in
      if state.entries[path] == nil { state.entries[path] = Entry() }
    }
  }

  /// Begins access; false where none was granted.
  func start(_ url: URL) -> Bool {
    guard let path = Self.path(url) else { return false }
    // What the document portal shows to this program was given to it, whoever asked.
    let shown = PortalPaths.place(of: path)?.document
    let (resource, mustHold, isTooMany) = state.withLock { state in
      if let shown, state.entries[shown] == nil { state.entries[shown] = Entry() }
      guard let resource = state.resource(of: path) else { return (FilePath?.none, false, false) }
      let isFirst = state.entries[resource]?.starts == 0
      state.entries[resource]?.starts += 1
      let hasRoom = state.held < Self.heldLimit
      return (resource, isFirst && hasRoom, isFirst && !hasRoom)
    }
    guard let resource else { return false }
    if isTooMany {
      Diagnostics.report(
        "\(Self.heldLimit) security-scoped resources are in use at once, and \(resource) is one "
          + "more: is a stopAccessingSecurityScopedResource() missing?"
      )
    }
    guard mustHold else { return true }
    let hold: SharedDescriptor
    switch backend(for: resource).begin(resource) {
    case .held(let descriptor): hold = descriptor
    case .unheld: return true
    case .refused:
      // Taken away since it was granted: there is nothing to give back.
      state.withLock { state in
        if let starts = state.entries[resource]?.starts, starts > 0 {
          state.entries[resource]?.starts = starts - 1
        }
      }
      return false
    }
    let unneeded = state.withLock { state -> SharedDescriptor? in
      guard let entry = state.entries[resource], entry.starts > 0, entry.hold == nil else {
        return hold
      }
      state.entries[resource]?.hold = hold
      state.held += 1
      return nil
    }
    withExtendedLifetime(unneeded) {}
    return true
  }

  /// Ends one access; one too many is ignored.
  func stop(_ url: URL) {
    guard let path = Self.path(url) else { return }
    let hold = state.withLock { state -> SharedDescriptor? in
      guard let resource = state.resource(of: path), var entry = state.entries[resource],
        entry.starts > 0
      else { return nil }
      entry.starts -= 1
      var released: SharedDescriptor?
      if entry.starts == 0, let hold = entry.hold {
        released = hold
        entry.hold = nil
        state.held -= 1
      }
      state.entries[resource] = entry
      return released
    }
    withExtendedLifetime(hold) {}
  }

  /// Whether access was begun and not ended.
  package func isAccessed(_ url: URL) -> Bool {
    guard let path = Self.path(url) else { return false }
    return state.withLock { state in
      state.resource(of: path).flatMap { state.entries[$0]?.starts } ?? 0 > 0
    }
  }

  private static func path(_ url: URL) -> FilePath? {
    FilePath(url).map { $0.lexicallyNormalized }
  }
}

extension ScopeRegistry.State {
  /// The granted path that `path` is, or is in; the innermost of several.
  fileprivate func resource(of path: FilePath) -> FilePath? {
    guard !entries.isEmpty else { return nil }
    if entries[path] != nil { return path }
    return path.ancestors.last { entries[$0] != nil }
  }
}

extension FilePath {
  /// The path without empty components, "." and "..", and without a look at the disk.
  var lexicallyNormalized: FilePath {
    guard isAbsolute else { return self }
    if !needsNormalizing { return self }
    var components: [ArraySlice<UInt8>] = []
    for component in bytes.split(separator: .slash) where component != [0x2e] {
      if component == [0x2e, 0x2e] {
        _ = components.popLast()
      } else {
        components.append(component)
      }
    }
    return FilePath(bytes: [.slash] + components.joined(separator: [.slash]))
  }

  private var needsNormalizing: Bool {
    var previous: UInt8?
    for byte in bytes {
      if previous == .slash, byte == .slash || byte == UInt8(ascii: ".") { return true }
      previous = byte
    }
    return previous == .slash && count > 1
  }
}
