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
  private func backend(isShown: Bool) -> any ScopeBackend {
    if isShown { return PortalScope() }
    if let broker = broker() { return BrokerScope(broker: broker) }
    return AmbientScope()
  }

  /// Access to an item was given: by a bookmark, a picker, a provider.
  package func grant(_ url: URL) {
    if let path = FilePath(url) { grant(path) }
  }

  /// Access to an item was given, by its path.
  func grant(_ path: FilePath) {
    let path = path.lexicallyNormalized
    state.withLock { state in
      if state.entries[path] == nil { state.entries[path] = Entry() }
    }
  }

  /// Begins access; false where none was granted.
  func start(_ url: URL) -> Bool {
    guard let path = Self.path(url) else { return false }
    // What the document portal shows to this program was given to it, whoever asked.
    let shown = PortalPaths.place(of: path)?.document
    let beginning = state.withLock { $0.begin(path, shown: shown, limit: Self.heldLimit) }
    switch beginning {
    case .nothing: return false
    case .more: return true
    case .tooMany(let resource):
      Diagnostics.report(
        "\(Self.heldLimit) security-scoped resources are in use at once, and \(resource) is one "
          + "more: is a stopAccessingSecurityScopedResource() missing?"
      )
      return true
    case .first(let resource): return hold(resource, isShown: shown != nil)
    }
  }

  /// Gets hold of a resource whose access has begun; false where the kernel refuses it.
  private func hold(_ resource: FilePath, isShown: Bool) -> Bool {
    switch backend(isShown: isShown).begin(resource) {
    case .held(let hold):
      let isNeeded = state.withLock { $0.keep(hold, of: resource) }
      // Else it is closed here, outside of the lock.
      withExtendedLifetime(isNeeded ? nil : hold) {}
      return true
    case .unheld: return true
    case .refused:
      // Taken away since it was granted: there is nothing to give back.
      _ = state.withLock { $0.end(resource) }
      return false
    }
  }

  /// Ends one access; one too many is ignored.
  func stop(_ url: URL) {
    guard let path = Self.path(url) else { return }
    let hold = state.withLock { $0.end(path) }
    withExtendedLifetime(hold) {}
  }

  /// Whether access was begun and not ended.
  package func isAccessed(_ url: URL) -> Bool {
    guard let path = Self.path(url) else { return false }
    return state.withLock { $0.starts(of: path) > 0 }
  }

  private static func path(_ url: URL) -> FilePath? { FilePath(url)?.lexicallyNormalized }
}

extension ScopeRegistry.State {
  /// What the wish for access means.
  fileprivate enum Beginning: Sendable {
    case nothing
    case first(FilePath)
    case more
    /// Access has begun, but is not held.
    case tooMany(FilePath)
  }

  fileprivate mutating func begin(_ path: FilePath, shown: FilePath?, limit: Int) -> Beginning {
    if let shown, entries[shown] == nil { entries[shown] = .init() }
    guard let index = index(of: path) else { return .nothing }
    let starts = entries.values[index].starts
    entries.values[index].starts = starts + 1
    if starts > 0 { return .more }
    let resource = entries.keys[index]
    return held < limit ? .first(resource) : .tooMany(resource)
  }

  /// False where access has ended meanwhile, or is held already.
  fileprivate mutating func keep(_ hold: SharedDescriptor, of resource: FilePath) -> Bool {
    guard let index = entries.index(forKey: resource), entries.values[index].starts > 0,
      entries.values[index].hold == nil
    else { return false }
    entries.values[index].hold = hold
    held += 1
    return true
  }

  /// Gives what nobody holds any more.
  fileprivate mutating func end(_ path: FilePath) -> SharedDescriptor? {
    guard let index = index(of: path), entries.values[index].starts > 0 else { return nil }
    entries.values[index].starts -= 1
    guard entries.values[index].starts == 0, let hold = entries.values[index].hold else {
      return nil
    }
    entries.values[index].hold = nil
    held -= 1
    return hold
  }

  fileprivate func starts(of path: FilePath) -> Int {
    index(of: path).map { entries.values[$0].starts } ?? 0
  }

  /// Where the granted path is that `path` is, or is in; the innermost of several.
  private func index(of path: FilePath) -> [FilePath: ScopeRegistry.Entry].Index? {
    guard !entries.isEmpty else { return nil }
    if let index = entries.index(forKey: path) { return index }
    var above = path.parent
    while let directory = above {
      if let index = entries.index(forKey: directory) { return index }
      above = directory.parent
    }
    return nil
  }
}

extension FilePath {
  /// The path without empty components, "." and "..", and without a look at the disk.
  var lexicallyNormalized: FilePath {
    guard isAbsolute else { return self }
    if !mayBeSpelledOtherwise { return self }
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
}
