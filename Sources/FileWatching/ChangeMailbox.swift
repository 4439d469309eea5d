import LinuxSystem

/// Changes that wait for a reader, merged so that there is at most one for each path.
///
/// Moves are boundaries: what is about a path before one and after it may be about two files, and is
/// not merged.
final class ChangeMailbox: Sendable {
  fileprivate struct State {
    /// What waits, from `head` on and numbered from `first` on; nil where something was merged away.
    var letters: [ChangeEvent?] = []
    var head = 0
    var first = 0
    /// How many of them are not nil.
    var count = 0
    /// Which letter is the last about a path, since the last move.
    var latest: [FilePath: Int] = [:]
    /// Nothing is kept until the reader has read that everything must be looked at.
    var isOverlooked = false
    var readers: [(number: UInt64, continuation: CheckedContinuation<FileChange?, Never>)] = []
    var lastReader: UInt64 = 0
    /// Readers that have not begun to wait yet, and those of them whose task is cancelled.
    var coming: Set<UInt64> = []
    var cancelled: Set<UInt64> = []
    var root: FilePath
  }

  private let state: Mutex<State>
  private let limit: Int
  private let translator: ChangeTranslator

  init(_ root: FilePath, limit: Int) {
    state = Mutex(State(root: root))
    self.limit = max(1, limit)
    translator = ChangeTranslator(root)
  }

  /// Puts a change in, or gives it to a reader that waits; never blocks.
  func put(_ event: ChangeEvent) {
    let handover = state.withLock {
      state -> (CheckedContinuation<FileChange?, Never>, FileChange)? in
      state.put(event, limit)
      guard let reader = state.readers.first, let change = take(&state) else { return nil }
      state.readers.removeFirst()
      return (reader.continuation, change)
    }
    if let (continuation, change) = handover { continuation.resume(returning: change) }
  }

  /// The next change; nil when the task is cancelled.
  func next(isolation actor: isolated (any Actor)?) async -> FileChange? {
    let number = state.withLock { state in
      state.lastReader += 1
      state.coming.insert(state.lastReader)
      return state.lastReader
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> FileChange?? in
          state.coming.remove(number)
          if state.cancelled.remove(number) != nil { return .some(nil) }
          if let change = take(&state) { return change }
          state.readers.append((number, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: UInt64) {
    let continuation = state.withLock { state -> CheckedContinuation<FileChange?, Never>? in
      guard let index = state.readers.firstIndex(where: { $0.number == number }) else {
        if state.coming.contains(number) { state.cancelled.insert(number) }
        return nil
      }
      return state.readers.remove(at: index).continuation
    }
    continuation?.resume(returning: nil)
  }

  private func take(_ state: inout State) -> FileChange? {
    if let event = state.take() { return translator.change(event) }
    guard state.isOverlooked else { return nil }
    state.isOverlooked = false
    return .overlooked(state.root.watchedURL)
  }
}

extension ChangeMailbox.State {
  fileprivate mutating func put(_ event: ChangeEvent, _ limit: Int) {
    switch event {
    case .itemMoved(let path):
      root = path
      append(event, about: nil)
      latest = [:]
    case .subitemMoved(let from, let to):
      if !isOverlooked { move(from, to) }
    case .becameDegraded, .recovered: append(event, about: nil)
    case .itemChanged, .itemAttributesChanged, .itemDeleted, .itemReturned:
      if !isOverlooked { merge(event, root) }
    case .subitemAppeared(let path), .subitemChanged(let path), .subitemDeleted(let path):
      if !isOverlooked { merge(event, path) }
    }
    if count > limit { giveUp() }
  }

  private mutating func merge(_ event: ChangeEvent, _ path: FilePath) {
    guard let number = latest[path], let before = letters[number - first] else {
      return append(event, about: path)
    }
    let merged = before.followed(by: event)
    if merged == before { return }
    letters[number - first] = nil
    latest[path] = nil
    count -= 1
    if let merged { append(merged, about: path) }
  }

  /// Two moves of one item in a row are one.
  private mutating func move(_ from: FilePath, _ to: FilePath) {
    if case .subitemMoved(let origin, from)?? = letters.last, latest.isEmpty, origin != to {
      letters[letters.count - 1] = .subitemMoved(from: origin, to: to)
      return
    }
    append(.subitemMoved(from: from, to: to), about: nil)
    latest = [:]
  }

  private mutating func append(_ event: ChangeEvent, about path: FilePath?) {
    if let path { latest[path] = first + letters.count }
    letters.append(event)
    count += 1
  }

  fileprivate mutating func take() -> ChangeEvent? {
    defer { cut() }
    while head < letters.count {
      let event = letters[head]
      letters[head] = nil
      head += 1
      guard let event else { continue }
      count -= 1
      if let path = event.path(root), latest[path] == first + head - 1 { latest[path] = nil }
      return event
    }
    return nil
  }

  /// Gives back what was read, once it is the most.
  private mutating func cut() {
    guard head == letters.count || (head > 1000 && head * 2 > letters.count) else { return }
    letters.removeFirst(head)
    first += head
    head = 0
  }

  private mutating func giveUp() {
    // Where the item is now and how it is watched is said all the same.
    let kept = letters.compactMap(\.self).filter { $0.isAboutWatching }
    first += letters.count
    letters = kept
    head = 0
    count = kept.count
    latest = [:]
    isOverlooked = true
  }
}

extension ChangeEvent {
  /// What two changes of one path come to; nil when they come to nothing.
  fileprivate func followed(by next: ChangeEvent) -> ChangeEvent? {
    switch (self, next) {
    case (.subitemAppeared, .subitemDeleted), (.itemReturned, .itemDeleted): nil
    case (.subitemAppeared, _), (.itemReturned, _): self
    case (.subitemDeleted, .subitemAppeared(let path)): .subitemChanged(path)
    case (.itemDeleted, .itemReturned): .itemChanged
    case (.itemChanged, .itemAttributesChanged): self
    default: next
    }
  }

  /// The path it is about, where that is one.
  fileprivate func path(_ root: FilePath) -> FilePath? {
    switch self {
    case .itemChanged, .itemAttributesChanged, .itemDeleted, .itemReturned: root
    case .subitemAppeared(let path), .subitemChanged(let path), .subitemDeleted(let path): path
    default: nil
    }
  }

  fileprivate var isAboutWatching: Bool {
    switch self {
    case .itemMoved, .becameDegraded, .recovered: true
    default: false
    }
  }
}
