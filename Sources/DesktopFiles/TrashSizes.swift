import LinuxSystem

/// The file `directorysizes` of a trash: what its directories take on the disk, so that nobody has to count.
///
/// A line for each: bytes, when its note was written (seconds), its name as a URL has it.
struct TrashSizes {
  private struct Line {
    let bytes: Int64
    let time: Int
    let name: [UInt8]

    /// Nil for what is no line of such a file.
    init?(_ text: some Collection<UInt8>) {
      let words = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      guard words.count == 3, let bytes = Int64(String(decoding: words[0], as: UTF8.self)),
        bytes >= 0, let time = Int(String(decoding: words[1], as: UTF8.self)),
        let path = FilePath(ofFileURL: "file:///" + String(decoding: words[2], as: UTF8.self)),
        path.parent == FilePath("/"), let name = path.lastComponent
      else { return nil }
      self.init(bytes: bytes, time: time, name: Array(name))
    }

    init(bytes: Int64, time: Int, name: [UInt8]) {
      self.bytes = bytes
      self.time = time
      self.name = name
    }

    var text: String {
      let name = FilePath(bytes: [.slash] + name).fileURLText(isDirectory: false)
      return "\(bytes) \(time) \(name.dropFirst("file:///".utf8.count))\n"
    }
  }

  private let trash: FilePath
  private var file: FilePath { trash.appending("directorysizes") }
  /// One that is bigger is none of a desktop's: it is made anew.
  private static let limit: Int64 = 4 << 20

  init(_ trash: FilePath) { self.trash = trash }

  /// Counts a directory that was put there and writes the file anew, without the lines of what is gone.
  ///
  /// Of two that write at once one may lose its line, as the specification allows; nobody reads half a file.
  /// - Throws: what the system says; the file is then as it was.
  func add(_ entry: Trash.Entry) throws(SystemError) {
    guard let name = entry.item.lastComponent.map(Array.init) else { return }
    let bytes = try FileSystem.spaceUsed(by: entry.item)
    let time = try FileStatus(of: entry.information).modified.seconds
    var lines = read().filter { $0.name != name && isCurrent($0) }
    lines.append(Line(bytes: bytes, time: time, name: name))
    let temporary = trash.appending(
      ".sfc-\(ProcessIdentity.ownNumber)-\(MonotonicInstant.now.nanoseconds)"
    )
    do throws(SystemError) {
      let file = try Descriptor.open(temporary, [.writeOnly, .create, .exclusive], mode: 0o600)
      try file.write(Array(lines.map(\.text).joined().utf8))
      try FileSystem.rename(temporary, to: self.file)
    } catch {
      // It may not have been made.
      try? FileSystem.removeFile(temporary)
      throw error
    }
  }

  private func read() -> [Line] {
    // What cannot be read is counted anew, by whoever wants to know.
    guard let file = try? Descriptor.open(file, [.readOnly, .nonBlocking, .noFollow]),
      let status = try? FileStatus(of: file), status.kind == .regular, status.size < Self.limit,
      let bytes = try? file.readToEnd()
    else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { Line($0) }
  }

  /// Whether the directory is still there, and no other one of its name.
  private func isCurrent(_ line: Line) -> Bool {
    let note = trash.appending("info").appending(line.name + Array(".trashinfo".utf8))
    // What cannot be looked at is gone.
    let status = try? FileStatus(of: note)
    return status?.modified.seconds == line.time
  }
}
