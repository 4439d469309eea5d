/// The binary file `mime.cache`, as far as it must be right for a reader that believes every offset in it.
///
/// - SeeAlso: https://specifications.freedesktop.org/shared-mime-info-spec, "The mime.cache files"
struct MimeCache {
  private let bytes: [UInt8]
  /// A string ends before the end of the file if it begins here or earlier.
  private let lastZero: Int

  /// Whether all that a reader could follow lies within the file, and nothing goes in circles.
  ///
  /// A file of another version is sound: no reader looks further.
  static func isSound(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4 else { return true }
    let cache = MimeCache(bytes: bytes, lastZero: bytes.lastIndex(of: 0) ?? -1)
    guard cache.short(0) == 1, (1...2).contains(cache.short(2)) else { return true }
    return cache.isSound
  }

  private var isSound: Bool {
    guard bytes.count >= 40 else { return false }
    // Aliases, parents, names, suffixes, patterns, contents, XML namespaces, icons, generic icons.
    let places = (0..<9).map { word(4 + 4 * $0) }
    return hasList(places[0], strings: [0, 4], size: 8)
      && hasParents(places[1])
      && hasList(places[2], strings: [0, 4], size: 12)
      && hasSuffixes(places[3])
      && hasList(places[4], strings: [0, 4], size: 12)
      && hasContents(places[5])
      && hasList(places[6], strings: [0, 4, 8], size: 12)
      && hasList(places[7], strings: [0, 4], size: 8)
      && hasList(places[8], strings: [0, 4], size: 8)
  }

  private func short(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
  /// Only for places that are within the file.
  private func word(_ at: Int) -> Int { short(at) << 16 | short(at + 2) }

  private func isWithin(_ at: Int, _ length: Int) -> Bool { at + length <= bytes.count }
  private func isString(_ at: Int) -> Bool { at <= lastZero }

  /// How many entries a list has, all of which are within the file.
  private func count(at place: Int, size: Int) -> Int? {
    guard isWithin(place, 4) else { return nil }
    let count = word(place)
    return isWithin(place + 4, count * size) ? count : nil
  }

  /// A number, and so many entries with strings at these places in each.
  private func hasList(_ place: Int, strings: [Int], size: Int) -> Bool {
    guard let count = count(at: place, size: size) else { return false }
    var entry = place + 4
    for _ in 0..<count {
      for string in strings where !isString(word(entry + string)) { return false }
      entry += size
    }
    return true
  }

  private func hasParents(_ place: Int) -> Bool {
    guard hasList(place, strings: [0], size: 8) else { return false }
    return (0..<word(place)).allSatisfy {
      hasList(word(place + 4 + $0 * 8 + 4), strings: [0], size: 4)
    }
  }

  /// A tree of characters, whose leaves have a zero for one.
  private func hasSuffixes(_ place: Int) -> Bool {
    guard isWithin(place, 8) else { return false }
    var visits = bytes.count / 12
    var levels = [(count: word(place), first: word(place + 4))]
    while let level = levels.popLast() {
      visits -= level.count
      guard visits >= 0, isWithin(level.first, level.count * 12) else { return false }
      for node in stride(from: level.first, to: level.first + level.count * 12, by: 12) {
        if word(node) == 0 {
          guard isString(word(node + 4)) else { return false }
        } else {
          levels.append((word(node + 4), word(node + 8)))
        }
      }
    }
    return true
  }

  /// Matches, each with a tree of what must stand where.
  private func hasContents(_ place: Int) -> Bool {
    guard isWithin(place, 12) else { return false }
    let (count, first) = (word(place), word(place + 8))
    guard isWithin(first, count * 16) else { return false }
    var visits = bytes.count / 32
    var levels: [(count: Int, first: Int)] = []
    for match in stride(from: first, to: first + count * 16, by: 16) {
      guard isString(word(match + 4)) else { return false }
      levels.append((word(match + 8), word(match + 12)))
    }
    while let level = levels.popLast() {
      visits -= level.count
      guard visits >= 0, isWithin(level.first, level.count * 32) else { return false }
      for part in stride(from: level.first, to: level.first + level.count * 32, by: 32) {
        let (length, value, mask) = (word(part + 12), word(part + 16), word(part + 20))
        guard isWithin(value, length), mask == 0 || isWithin(mask, length) else { return false }
        levels.append((word(part + 24), word(part + 28)))
      }
    }
    return true
  }
}
