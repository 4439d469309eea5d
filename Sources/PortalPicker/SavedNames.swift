import LinuxSystem

/// Names of several files that go into one folder.
enum SavedNames {
  private static let dot = UInt8(ascii: ".")

  /// The names, of which the second of two equal ones gets a number.
  static func distinct(_ names: [ArraySlice<UInt8>]) -> [[UInt8]] {
    var seen: Set<[UInt8]> = []
    return names.map { name in
      let name = Array(name)
      var free = name
      var number = 0
      while !seen.insert(free).inserted {
        number += 1
        free = numbered(name, number)
      }
      return free
    }
  }

  /// The place with the dot that the dialog of GTK loses: it gives `a(1)txt` for an `a.txt` that is
  /// there already.
  ///
  /// With the next number where something is there as well.
  static func repaired(_ place: FilePath, asked: [UInt8]) -> FilePath {
    guard let given = place.lastComponent, let folder = place.parent else { return place }
    for at in asked.indices where asked[at] == dot && at > 0 {
      let (stem, ending) = (asked[..<at], asked[(at + 1)...])
      guard given.count > stem.count + ending.count, given.starts(with: stem),
        given.suffix(ending.count).elementsEqual(ending),
        var number = number(in: given.dropFirst(stem.count).dropLast(ending.count))
      else { continue }
      while number < 10_000 {
        let path = folder.appending(Array(stem) + digits(number) + [dot] + ending)
        if !FileSystem.exists(path) { return path }
        number += 1
      }
      // Taken, like all others: the picker says so.
      return folder.appending(asked)
    }
    return place
  }

  /// `a(1).txt` of `a.txt`.
  private static func numbered(_ name: [UInt8], _ number: Int) -> [UInt8] {
    guard let at = name.lastIndex(of: dot), at > 0 else { return name + digits(number) }
    return name[..<at] + digits(number) + name[at...]
  }

  private static func digits(_ number: Int) -> [UInt8] { Array("(\(number))".utf8) }

  /// The number in `(1)`; nil for anything else.
  private static func number(in text: ArraySlice<UInt8>) -> Int? {
    guard text.first == UInt8(ascii: "("), text.last == UInt8(ascii: ")"), text.count <= 8 else {
      return nil
    }
    let inner = text.dropFirst().dropLast()
    guard !inner.isEmpty, inner.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: inner, as: UTF8.self))
  }
}
