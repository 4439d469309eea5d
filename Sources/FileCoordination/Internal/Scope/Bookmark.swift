import Foundation
import Digests
import LinuxSystem

/// What a bookmark knows.
///
/// As bytes: `SBMK`, a version, flags, then fields of a tag, a length and a value, and 32 bytes that
/// prove where it comes from (with security scope) or that it is undamaged (without).
struct Bookmark {
  struct Flags: OptionSet {
    let rawValue: UInt32
    static let minimal = Flags(rawValue: 1)
    static let forFiles = Flags(rawValue: 2)
    static let appScope = Flags(rawValue: 4)
    static let documentScope = Flags(rawValue: 8)
    static let readOnly = Flags(rawValue: 16)
    static let withoutScope = Flags(rawValue: 32)
    static let isDirectory = Flags(rawValue: 64)
    static let notAFile = Flags(rawValue: 128)
  }
  /// A directory above the item, and what told it from others.
  struct Place {
    let path: FilePath
    let identity: FileIdentity
  }
  /// Taken out of the bytes only when the item is not where it was.
  enum Places {
    case known([Place])
    case encoded([ArraySlice<UInt8>])

    /// All of them; what is no place is left out.
    var all: [Place] {
      switch self {
      case .known(let places): places
      case .encoded(let fields):
        fields.compactMap { field in
          var inner = BookmarkBytes.Reader(field)
          guard let name = inner.field(), let identity = inner.field(),
            let known = BookmarkBytes.identity(identity.1)
          else { return nil }
          return Place(path: FilePath(bytes: name.1), identity: known)
        }
      }
    }
  }

  var flags: Flags = []
  /// Where this process, or the one that made it, reaches the item.
  var path = FilePath("")
  /// For a document that the document portal shows: the file on the host, whose identity this is.
  var host: FilePath?
  /// For what is no file.
  var text: String?
  var identity: FileIdentity?
  var size: Int64 = 0
  /// From the item's own directory upwards.
  var places: Places = .known([])
  var application = ""
  var values: [String: BookmarkValue] = [:]

  /// 5 was an attribute that nothing ever set.
  private enum Tag: UInt8 {
    case path = 1, text, identity, size, place = 6, application, values, host
  }
  private static let magic = Array("SBMK".utf8) + [1]

  var isScoped: Bool { !flags.isDisjoint(with: [.appScope, .documentScope]) }

  // MARK: bytes

  /// The bookmark as data, sealed with a key, or with none.
  func encode(key: [UInt8]) throws -> Data {
    // One block for a bookmark six or seven levels deep.
    var writer = BookmarkBytes.Writer(Self.magic, capacity: 1_024)
    writer.number(UInt64(flags.rawValue))
    writer.field(Tag.path.rawValue, path.bytes)
    if let host { writer.field(Tag.host.rawValue, host.bytes) }
    if let text { writer.field(Tag.text.rawValue, Array(text.utf8)) }
    if let identity { writer.field(Tag.identity.rawValue, identity) }
    writer.field(Tag.size.rawValue, UInt64(bitPattern: size))
    for place in places.all {
      writer.field(Tag.place.rawValue, place.path.bytes, place.identity)
    }
    writer.field(Tag.application.rawValue, Array(application.utf8))
    if !values.isEmpty {
      writer.field(Tag.values.rawValue, Array(try JSONEncoder().encode(values)))
    }
    writer.append(Digest.authenticate(writer.bytes, key: key))
    return Data(writer.bytes)
  }

  /// What data says; whether it is genuine is another question, see ``isGenuine(_:key:)``.
  init(decoding data: Data) throws { try self.init(decoding: Array(data)) }

  /// As ``init(decoding:)``, of the bytes.
  init(decoding bytes: [UInt8]) throws {
    guard bytes.starts(with: Self.magic), bytes.count >= Self.magic.count + 40 else {
      throw Self.damaged
    }
    var reader = BookmarkBytes.Reader(bytes[Self.magic.count..<(bytes.count - 32)])
    guard let flags = reader.number() else { throw Self.damaged }
    self.flags = Flags(rawValue: UInt32(truncatingIfNeeded: flags))
    var encodedPlaces: [ArraySlice<UInt8>] = []
    while let (tag, value) = reader.field() {
      switch Tag(rawValue: tag) {
      case .path: path = FilePath(bytes: value)
      case .host: host = FilePath(bytes: value)
      case .text: text = String(decoding: value, as: UTF8.self)
      case .identity: identity = BookmarkBytes.identity(value)
      case .size: size = Int64(bitPattern: BookmarkBytes.number(value))
      case .place: encodedPlaces.append(value)
      case .application: application = String(decoding: value, as: UTF8.self)
      case .values:
        do {
          values = try JSONDecoder().decode([String: BookmarkValue].self, from: Data(value))
        } catch { throw Self.damaged }
      case nil: break  // of another version
      }
    }
    places = .encoded(encodedPlaces)
    guard reader.isAtEnd, isScoped || Self.isGenuine(bytes, key: []) else { throw Self.damaged }
  }

  init() {}

  static var damaged: CocoaError {
    BookmarkFailure.damaged.error(nil, "the bookmark's data is damaged, or of something else")
  }

  /// Whether bytes were sealed with a key.
  static func isGenuine(_ bytes: [UInt8], key: [UInt8]) -> Bool {
    guard bytes.count > 32 else { return false }
    return Digest.areEqual(Digest.authenticate(bytes.dropLast(32), key: key), bytes.suffix(32))
  }

  // MARK: values

  /// What is kept, as a dictionary: path, name and kind always.
  func allValues(forKeys keys: some Collection<URLResourceKey>) -> [URLResourceKey: Any] {
    let url = path.url(isDirectory: flags.contains(.isDirectory))
    var all: [URLResourceKey: Any] = [
      .pathKey: url.path, .nameKey: url.lastPathComponent,
      .isDirectoryKey: flags.contains(.isDirectory),
    ]
    for (key, value) in values where all[URLResourceKey(rawValue: key)] == nil {
      all[URLResourceKey(rawValue: key)] = value.value
    }
    return all.filter { keys.contains($0.key) }
  }

  /// What is kept, as far as Foundation lets it be put into its own type without a look at the disk.
  func resourceValues(forKeys keys: Set<URLResourceKey>) -> URLResourceValues? {
    let all = allValues(forKeys: keys)
    // Values that were set on a URL come back without a look at the disk.
    var url = path.url()
    url.setTemporaryResourceValue(url.path, forKey: .pathKey)
    url.setTemporaryResourceValue(url.lastPathComponent, forKey: .nameKey)
    let fromURL = keys.intersection([.pathKey, .nameKey])
    guard var result = try? url.resourceValues(forKeys: fromURL) else { return nil }
    for (key, value) in all {
      switch (key, value) {
      case (.contentModificationDateKey, let date as Date): result.contentModificationDate = date
      case (.contentAccessDateKey, let date as Date): result.contentAccessDate = date
      case (.creationDateKey, let date as Date): result.creationDate = date
      case (.isHiddenKey, let flag as Bool): result.isHidden = flag
      default: break  // no way to set it
      }
    }
    return result
  }
}
