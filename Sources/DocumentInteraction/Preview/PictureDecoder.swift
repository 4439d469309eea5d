package import LinuxSystem

/// Has pictures decoded by `preview-decoder`, a process of its own that can do nothing else.
///
/// What a hostile file can reach is that process: memory, time and descriptors are limited, Landlock keeps
/// it from files and the network, and what comes back is checked here.
package final class PictureDecoder: Sendable {
  package static let shared = PictureDecoder()

  private let program: FilePath?
  private let types = Mutex<Set<String>?>(nil)
  /// How long a picture may take.
  private static let limit = Duration.seconds(15)

  /// The decoder where programs that belong to this one are.
  package convenience init() { self.init(CompanionProgram.find("preview-decoder")) }

  package init(_ program: FilePath?) { self.program = program }

  /// Whether pictures of a MIME type can be decoded; the first call starts the decoder.
  package func knows(_ mimeType: String) -> Bool {
    if let types = types.withLock({ $0 }) { return types.contains(mimeType) }
    let answer = run(["types"], nil, limit: 1 << 16) ?? []
    let found = Set(
      String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
    )
    types.withLock { $0 = found }
    return found.contains(mimeType)
  }

  /// A picture not bigger than that, or nil: it cannot be decoded.
  package func decode(
    _ path: FilePath,
    _ mimeType: String,
    width: Int,
    height: Int
  ) -> DocumentPicture? {
    guard knows(mimeType), width > 0, height > 0,
      let input = picture(at: path, mimeType, size: max(width, height))
    else { return nil }
    let most = width * height * 3 + 64
    guard let answer = run(["rgb", "\(width)", "\(height)"], input, limit: most),
      let end = answer.firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    let numbers = String(decoding: answer[..<end], as: UTF8.self).split(separator: " ")
      .compactMap { Int($0) }
    guard numbers.count == 4, numbers[0] <= width, numbers[1] <= height else { return nil }
    return DocumentPicture(
      width: numbers[0],
      height: numbers[1],
      bytes: Array(answer[(end + 1)...]),
      // A page has no dots.
      original: mimeType == Self.pdf
        ? nil : DocumentPicture.Size(width: numbers[2], height: numbers[3])
    )
  }

  /// A picture as a PNG of at most `size` dots in both directions, not to be trusted; nil: it cannot be
  /// decoded.
  package func png(_ path: FilePath, _ mimeType: String, size: Int) -> [UInt8]? {
    guard let input = picture(at: path, mimeType, size: size) else { return nil }
    return run(["png", "\(size)"], input, limit: size * size * 5 + 65536)
  }

  private static let pdf = "application/pdf"

  /// The file open for reading, or of a PDF its first page as a picture, made by a decoder as well.
  private func picture(at path: FilePath, _ mimeType: String, size: Int) -> SharedDescriptor? {
    // Any failure has one effect: there is no picture.
    guard let file = try? Descriptor.open(path, [.readOnly, .nonBlocking]),
      (try? FileStatus(of: file))?.kind == .regular
    else { return nil }
    let input = SharedDescriptor(file)
    guard mimeType == Self.pdf else { return input }
    guard let page = run(["pdf", "\(size)"], input, limit: size * size * 3 + 64) else { return nil }
    return try? SharedDescriptor(MemoryFile.make(page))
  }

  /// What the decoder wrote, or nil: it failed, took too long or wrote too much.
  private func run(_ arguments: [String], _ input: SharedDescriptor?, limit: Int) -> [UInt8]? {
    // Any failure has one effect: there is no picture.
    guard let (process, reading) = try? start(arguments, input), let poll = try? EventPoll(),
      (try? poll.add(reading.number)) != nil
    else { return nil }
    return collect(process, reading, poll, limit)
  }

  /// Our end of the pipe for writing closes when this returns.
  private func start(
    _ arguments: [String],
    _ input: SharedDescriptor?
  ) throws(SystemError) -> (ChildProcess, SharedDescriptor) {
    guard let program else { throw SystemError("posix_spawn", .noEntry) }
    let (reading, writing) = try Descriptor.pipe()
    let nowhere = try Descriptor.open(FilePath("/dev/null"), .readWrite)
    let process = try ChildProcess(
      program,
      arguments,
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"],
      input: input?.number ?? nowhere.number,
      output: writing.number,
      error: nowhere.number
    )
    return (process, reading)
  }

  /// The child ends with the value, whatever it is at.
  private func collect(
    _ process: ChildProcess,
    _ reading: SharedDescriptor,
    _ poll: EventPoll,
    _ limit: Int
  ) -> [UInt8]? {
    let deadline = MonotonicInstant.now + Self.limit
    var bytes: [UInt8] = []
    while MonotonicInstant.now < deadline {
      guard poll.wait(until: deadline).contains(reading.number) else { continue }
      let part = try? reading.with { (pipe) throws(SystemError) in try pipe.read(upTo: 65536) }
      guard let part else { return nil }
      if part.isEmpty {
        // Whoever closes the pipe ends soon; one that does not is killed with the value.
        return end(of: process, by: deadline) == .exited(0) ? bytes : nil
      }
      bytes += part
      if bytes.count > limit { return nil }
    }
    return nil
  }

  private func end(of process: ChildProcess, by deadline: MonotonicInstant) -> ChildProcess.End? {
    guard let descriptor = try? Descriptor.process(process.pid), let poll = try? EventPoll(),
      (try? poll.add(descriptor.number)) != nil
    else { return process.poll() }
    while MonotonicInstant.now < deadline {
      if let end = process.poll() { return end }
      _ = poll.wait(until: deadline)
    }
    return nil
  }
}
