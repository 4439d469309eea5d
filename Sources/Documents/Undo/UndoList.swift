/// A list that grows and shrinks at its ends in bounded steps.
///
/// One array would copy itself now and then, which at a hundred thousand elements takes longer than
/// a keystroke may. Elements can be taken out of the middle; their places stay empty, so that
/// positions keep their meaning.
struct UndoList<Element: Sendable>: Sendable {
  private static var chunkSize: Int { 512 }

  private var chunks: [ContiguousArray<Element?>] = []
  /// How many places of the first chunk were given up.
  private var start = 0
  /// Places, taken or empty.
  private(set) var count = 0

  mutating func append(_ element: Element) {
    if chunks.isEmpty || chunks[chunks.count - 1].count == Self.chunkSize {
      var chunk = ContiguousArray<Element?>()
      // The first one grows as it must: most lists, those of single edits, never have a second.
      if !chunks.isEmpty { chunk.reserveCapacity(Self.chunkSize) }
      chunks.append(chunk)
    }
    chunks[chunks.count - 1].append(element)
    count += 1
  }

  /// Gives up the last place; nil if it was empty, or if there is none.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    let element = chunks[chunks.count - 1].removeLast()
    if chunks[chunks.count - 1].isEmpty || count == 0 { dropLastChunk() }
    return element
  }

  /// Gives up the first place; nil if it was empty, or if there is none.
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    let element = chunks[0][start]
    chunks[0][start] = nil
    start += 1
    if count == 0 {
      chunks = []
      start = 0
    } else if start == chunks[0].count {
      chunks.removeFirst()
      start = 0
    }
    return element
  }

  private mutating func dropLastChunk() {
    chunks.removeLast()
    if chunks.isEmpty { start = 0 }
  }

  /// What is in the last place.
  var last: Element? { count > 0 ? chunks[chunks.count - 1].last ?? nil : nil }

  /// Lets `body` change what is in the last place that is not empty.
  mutating func changeLast(_ body: (inout Element) -> Void) {
    for chunk in chunks.indices.reversed() {
      for place in chunks[chunk].indices.reversed() where chunks[chunk][place] != nil {
        if var element = chunks[chunk][place] {
          chunks[chunk][place] = nil
          body(&element)
          chunks[chunk][place] = element
        }
        return
      }
    }
  }

  /// Empties the places whose element `body` says so of; `body` may change the others.
  ///
  /// - Returns: what was in them.
  mutating func empty(where body: (inout Element) -> Bool) -> [Element] {
    var taken: [Element] = []
    for chunk in chunks.indices {
      for place in chunks[chunk].indices {
        guard var element = chunks[chunk][place] else { continue }
        // Out of the list while it changes, so that it is changed in place and not copied.
        chunks[chunk][place] = nil
        if body(&element) { taken.append(element) } else { chunks[chunk][place] = element }
      }
    }
    return taken
  }

  /// Whether an element is there of which `body` says yes.
  func contains(where body: (Element) -> Bool) -> Bool {
    chunks.contains { chunk in chunk.contains { $0.map(body) ?? false } }
  }

  /// Closes the gaps that ``empty(where:)`` left.
  mutating func compact() {
    var dense = UndoList()
    for chunk in chunks {
      for case let element? in chunk { dense.append(element) }
    }
    self = dense
  }
}
