import LinuxSystem
import TestSupport

/// The names in a zip archive, read from its central directory.
struct ZipListing {
  struct Entry {
    let name: String
    /// Whether the Unix mode in the entry's external attributes says so.
    let isLink: Bool
  }
  private(set) var entries: [Entry] = []

  init(of path: FilePath) throws {
    let bytes = try Descriptor.open(path, .readOnly).readToEnd()
    func number(_ at: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    guard bytes.count >= 22, number(0, 4) == 0x0403_4b50 else {
      throw NotInTime("\(path) is not a zip archive")
    }
    guard
      let end = (0...(bytes.count - 22)).last(where: { number($0, 4) == 0x0605_4b50 })
    else { throw NotInTime("\(path) has no central directory") }
    var at = number(end + 16, 4)
    for _ in 0..<number(end + 10, 2) {
      let (name, extra, comment) = (number(at + 28, 2), number(at + 30, 2), number(at + 32, 2))
      let mode = number(at + 38, 4) >> 16
      entries.append(
        Entry(
          name: String(decoding: bytes[(at + 46)..<(at + 46 + name)], as: UTF8.self),
          isLink: mode & 0o170000 == 0o120000
        )
      )
      at += 46 + name + extra + comment
    }
  }
}
