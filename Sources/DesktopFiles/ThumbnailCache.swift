import Digests
package import LinuxSystem

/// The cache of thumbnails that all desktops share.
///
/// - SeeAlso: https://specifications.freedesktop.org/thumbnail-spec
package struct ThumbnailCache: Sendable {
  /// How big the thumbnails in a part of the cache are at most, in pixels.
  package enum Size: Int, Sendable, CaseIterable {
    case normal = 128
    case large = 256
    case xLarge = 512
    case xxLarge = 1024

    var directory: String {
      switch self {
      case .normal: "normal"
      case .large: "large"
      case .xLarge: "x-large"
      case .xxLarge: "xx-large"
      }
    }
  }

  /// The name under which failures are noted.
  private static let program = "swift-file-coordination-1"
  private static let uriKey = Array("Thumb::URI".utf8)
  private static let timeKey = Array("Thumb::MTime".utf8)

  private let top: FilePath
  private let places: [[UInt8]]
  private let failures: FilePath

  /// The cache below a user's cache directory.
  package init(cacheHome: FilePath) {
    top = cacheHome.appending("thumbnails")
    let top = top
    places = Size.allCases.map { Array(top.appending($0.directory).bytes) + [.slash] }
    failures = top.appending("fail").appending(Self.program)
  }

  /// The text by which the cache knows a file: as g_filename_to_uri writes it.
  package static func uri(of path: FilePath) -> [UInt8] {
    var uri = Array("file://".utf8)
    uri.reserveCapacity(path.count + 16)
    for byte in path.bytes {
      if isPlain[Int(byte)] {
        uri.append(byte)
      } else {
        uri.append(UInt8(ascii: "%"))
        uri.append(digits[Int(byte >> 4)])
        uri.append(digits[Int(byte & 15)])
      }
    }
    return uri
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
  private static let isPlain: [Bool] = (0..<256).map { byte in
    let letter = UInt8(byte)
    switch letter {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return true
    default: return "/-_.!~*'()&=:@+$,".utf8.contains(letter)
    }
  }

  /// Where the thumbnail of a file is, or would be.
  package func path(of file: FilePath, _ size: Size) -> FilePath {
    path(uri: Self.uri(of: file), size)
  }

  private func path(uri: [UInt8], _ size: Size) -> FilePath {
    let index: Int =
      switch size {
      case .normal: 0
      case .large: 1
      case .xLarge: 2
      case .xxLarge: 3
      }
    return FilePath(bytes: places[index] + Digest.md5Digits(of: uri) + Self.ending)
  }

  private static let ending = Array(".png".utf8)

  /// The thumbnail of a file in one size, or nil: there is none, or it is of another state of the file.
  ///
  /// `file` must be absolute and without `.` and `..`. Looks at the file and at the head of the thumbnail.
  /// - Throws: what the system says about the file itself.
  package func lookUp(_ file: FilePath, _ size: Size = .normal) throws(SystemError) -> FilePath? {
    let status = try FileStatus(of: file, followingLink: true)
    let uri = Self.uri(of: file)
    let path = path(uri: uri, size)
    guard isCurrent(path, uri, status), Self.mayRead(file, status) else { return nil }
    return path
  }

  /// Who may not read a file sees no picture of it.
  private static func mayRead(_ file: FilePath, _ status: FileStatus) -> Bool {
    // Most files tell at once; for the rest the kernel is asked.
    if status.owner == Environment.user, status.permissions & 0o400 != 0 { return true }
    return FileSystem.mayRead(file)
  }

  private func isCurrent(_ path: FilePath, _ uri: [UInt8], _ status: FileStatus) -> Bool {
    let wanted = [
      (Self.uriKey, uri), (Self.timeKey, Self.decimal(status.modified.seconds)),
    ]
    // Whatever keeps a thumbnail from being read, there is none.
    guard let file = try? Descriptor.open(path, [.readOnly, .noFollow]),
      var head = try? file.read(upTo: 4096)
    else { return false }
    while true {
      if let answer = PNGChunks.hasTexts(wanted, in: head) { return answer }
      guard head.count < 1 << 18, let more = try? file.read(upTo: 1 << 16), !more.isEmpty else {
        return false
      }
      head += more
    }
  }

  private static func decimal(_ number: Int) -> [UInt8] {
    if number < 0 { return Array("\(number)".utf8) }
    var digits: [UInt8] = []
    var rest = number
    repeat {
      digits.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    digits.reverse()
    return digits
  }

  // MARK: making

  /// Stores a picture of a file as it was when `status` was taken.
  ///
  /// `picture` is a PNG that need not be trusted. Files of the cache itself get none. If the process dies,
  /// there is the old thumbnail or the new one.
  /// - Returns: where it is, or nil: the picture is not fit for a thumbnail.
  package func store(
    _ picture: [UInt8],
    of file: FilePath,
    _ status: FileStatus,
    mimeType: String? = nil,
    _ size: Size = .normal
  ) throws(SystemError) -> FilePath? {
    guard !file.isInside(top) else { return nil }
    let numbers = ["Thumb::Image::Width", "Thumb::Image::Height"]
    var texts = texts(of: file, status)
    if let mimeType { texts.append(("Thumb::Mimetype", Array(mimeType.utf8))) }
    guard
      let bytes = PNGChunks.rebuild(
        picture,
        within: size.rawValue,
        texts: texts,
        numbers: numbers
      )
    else { return nil }
    let path = path(of: file, size)
    try write(bytes, to: path)
    return path
  }

  /// Notes that no thumbnail of a file in this state can be made, so that nobody tries again.
  package func recordFailure(of file: FilePath, _ status: FileStatus) throws(SystemError) {
    guard !file.isInside(top) else { return }
    try write(PNGChunks.dot(texts: texts(of: file, status)), to: failurePath(of: file))
  }

  /// Whether that was noted, for the state that the file has now.
  package func hasFailed(_ file: FilePath, _ status: FileStatus) -> Bool {
    isCurrent(failurePath(of: file), Self.uri(of: file), status)
  }

  private func failurePath(of file: FilePath) -> FilePath {
    failures.appending(Digest.md5Digits(of: Self.uri(of: file)) + Self.ending)
  }

  private func texts(of file: FilePath, _ status: FileStatus) -> [(String, [UInt8])] {
    [
      ("Thumb::URI", Self.uri(of: file)),
      ("Thumb::MTime", Self.decimal(status.modified.seconds)),
      ("Thumb::Size", Array("\(status.size)".utf8)),
      ("Software", Array("swift-file-coordination".utf8)),
    ]
  }

  private func write(_ bytes: [UInt8], to path: FilePath) throws(SystemError) {
    guard let directory = path.parent else { return }
    try FileSystem.makeDirectories(directory)
    let temporary = directory.appending(
      ".sfc-\(ProcessIdentity.ownNumber)-\(MonotonicInstant.now.nanoseconds)"
    )
    do throws(SystemError) {
      let file = try Descriptor.open(temporary, [.writeOnly, .create, .exclusive], mode: 0o600)
      try file.write(bytes)
      try FileSystem.rename(temporary, to: path)
    } catch {
      // It may not have been made.
      try? FileSystem.removeFile(temporary)
      throw error
    }
  }
}
