package import Foundation

/// A text of any size as bytes in blocks: an edit costs the same in a file of ten bytes or ten
/// megabytes, and a copy costs nothing until one of both is changed.
///
/// Bytes are kept as they are, whether they are UTF-8 or not.
package struct TextBuffer: Sendable {
  private static let blockSize = 8192

  private struct Block: Sendable {
    var bytes: [UInt8]
    var newlines: Int
    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      newlines = bytes.count { $0 == .newline }
    }
  }
  private var blocks: [Block] = []
  /// How many bytes there are.
  package private(set) var count = 0
  private var newlines = 0

  /// A text of these bytes.
  package init(_ data: Data = Data()) {
    let bytes = Array(data)
    for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
      blocks.append(Block(Array(bytes[start..<min(start + Self.blockSize, bytes.count)])))
    }
    count = bytes.count
    newlines = blocks.reduce(0) { $0 + $1.newlines }
  }

  /// All bytes.
  package var data: Data {
    var data = Data(capacity: count)
    for block in blocks { data.append(contentsOf: block.bytes) }
    return data
  }

  /// How many lines there are; an empty text has one.
  package var lineCount: Int { newlines + 1 }

  // MARK: editing

  /// Puts `new` in the place of some bytes.
  ///
  /// - Returns: what was there.
  @discardableResult
  package mutating func replace(_ range: Range<Int>, with new: [UInt8]) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    let old = Array(bytes(range))
    let (first, from) = place(of: range.lowerBound)
    let (last, to) = place(of: range.upperBound)
    guard first < blocks.count else {
      append(new)
      return old
    }
    let head = blocks[first].bytes[..<from]
    let tail = last < blocks.count ? blocks[last].bytes[to...] : []
    let merged = Array(head) + new + tail
    var fresh: [Block] = []
    if merged.count <= Self.blockSize * 2 {
      if !merged.isEmpty { fresh = [Block(merged)] }
    } else {
      for start in stride(from: 0, to: merged.count, by: Self.blockSize) {
        fresh.append(Block(Array(merged[start..<min(start + Self.blockSize, merged.count)])))
      }
    }
    blocks.replaceSubrange(first..<min(last + 1, blocks.count), with: fresh)
    count += new.count - old.count
    newlines += new.count { $0 == .newline } - old.count { $0 == .newline }
    return old
  }

  private mutating func append(_ new: [UInt8]) {
    guard !new.isEmpty else { return }
    for start in stride(from: 0, to: new.count, by: Self.blockSize) {
      blocks.append(Block(Array(new[start..<min(start + Self.blockSize, new.count)])))
    }
    count += new.count
    newlines += new.count { $0 == .newline }
  }

  /// The block of an offset, and the offset in it; the end is in the last block.
  private func place(of offset: Int) -> (Int, Int) {
    var rest = offset
    for (index, block) in blocks.enumerated() {
      if rest < block.bytes.count || (index == blocks.count - 1 && rest == block.bytes.count) {
        return (index, rest)
      }
      rest -= block.bytes.count
    }
    return (blocks.count, 0)
  }

  // MARK: reading

  /// Some of the bytes.
  package func bytes(_ range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var start = 0
    for block in blocks {
      let end = start + block.bytes.count
      if end > range.lowerBound, start < range.upperBound {
        let from = max(range.lowerBound - start, 0)
        result += block.bytes[from..<min(range.upperBound - start, block.bytes.count)]
      }
      if end >= range.upperBound { break }
      start = end
    }
    return result
  }

  /// The number of the line that an offset is in, from 0.
  package func line(at offset: Int) -> Int {
    var start = 0
    var line = 0
    for block in blocks {
      let end = start + block.bytes.count
      guard end <= offset else {
        return line + block.bytes[..<(offset - start)].count { $0 == .newline }
      }
      line += block.newlines
      start = end
    }
    return line
  }

  /// Where a line begins; the end of the text for one behind the last.
  package func start(ofLine line: Int) -> Int {
    guard line > 0 else { return 0 }
    var left = line
    var start = 0
    for block in blocks {
      if block.newlines < left {
        left -= block.newlines
        start += block.bytes.count
        continue
      }
      for (index, byte) in block.bytes.enumerated() where byte == .newline {
        left -= 1
        if left == 0 { return start + index + 1 }
      }
    }
    return count
  }

  /// Where the bytes of a line are, without the one that ends it.
  package func range(ofLine line: Int) -> Range<Int> {
    let start = start(ofLine: line)
    let next = line + 1 < lineCount ? self.start(ofLine: line + 1) - 1 : count
    return start..<max(next, start)
  }
}

extension UInt8 {
  package static let newline = UInt8(ascii: "\n")
}
