import LinuxSystem

/// Has the program `provider-mount` show a provider's folder to programs that do not coordinate.
///
/// It needs FUSE, so it is built by itself (`Sources/Desktop`), and found where it is installed.
enum ProviderMount {
  private static let program = "provider-mount"
  private static let patience = Duration.seconds(20)

  /// Mounts, and returns when that is done; the mount goes on without this process.
  static func mount(_ provider: String, at mountpoint: FilePath) throws {
    guard let program = find(program) else {
      throw CommandFailure(
        .notFound,
        "\(program) is not installed: it is built in Sources/Desktop (with libfuse3-dev), needs fuse3, "
          + "and belongs beside filecoord or in PATH"
      )
    }
    if isMounted(mountpoint) {
      throw CommandFailure(
        .cannotCreate,
        "a provider's folder is mounted at \(mountpoint) already; 'filecoord providers unmount' takes it away"
      )
    }
    let log = try makeLog()
    let life = try start(program, [provider, mountpoint.description], log)
    let deadline = MonotonicInstant.now + patience
    while !isMounted(mountpoint) {
      if UnixSocket.waitReadable(life.number, until: .now + .milliseconds(20)) {
        throw CommandFailure(.failure, try said(log))
      }
      if MonotonicInstant.now >= deadline {
        throw CommandFailure(.timeLimit, "\(mountpoint) is not mounted yet: \(try said(log))")
      }
    }
  }

  /// Starts the program as nobody's child; what comes back can be read from when it has ended.
  private static func start(
    _ program: FilePath,
    _ words: [String],
    _ log: SharedDescriptor
  ) throws -> SharedDescriptor {
    let ends = try Descriptor.pipe()
    try ChildProcess.startDetached(
      program,
      words,
      environment: Environment.variables,
      log: log.number,
      keeping: ends.writing.number
    )
    return ends.reading
  }

  /// Unmounts what is a provider's, whether its process lives or not.
  static func unmount(_ mountpoint: FilePath) throws {
    guard isMounted(mountpoint) else {
      throw CommandFailure(.noSuchItem, "\(mountpoint) is no mount of a provider's folder")
    }
    guard let helper = find("fusermount3") ?? find("umount") else {
      throw CommandFailure(
        .notFound,
        "fusermount3 is not installed; it comes with the package fuse3"
      )
    }
    let isHelper = helper.lastComponent?.elementsEqual("fusermount3".utf8) == true
    let words = (isHelper ? ["-u"] : []) + [mountpoint.description]
    guard try ChildProcess(helper, words).wait() == .exited(0) else {
      throw CommandFailure(
        .failure,
        "\(mountpoint) was not unmounted: end the programs that use it (fuser -m shows them)"
      )
    }
  }

  // MARK: programs

  /// A program beside this one, else in PATH.
  private static func find(_ name: String) -> FilePath? {
    let own = (try? FileSystem.readLink(FilePath("/proc/self/exe")))?.parent
    let path = (Environment.value(of: "PATH")?.description ?? "/usr/bin:/bin")
      .split(separator: ":").map { FilePath(String($0)) }
    return ([own].compactMap { $0 } + path).map { $0.appending(name) }.first { program in
      // What cannot be looked at cannot be run.
      guard let status = try? FileStatus(of: program, followingLink: true) else { return false }
      return status.kind == .regular && status.permissions & 0o111 != 0
    }
  }

  /// A file without a name: whatever the program says later, nobody has to clear it away.
  private static func makeLog() throws -> SharedDescriptor {
    let directory = Environment.value(of: "TMPDIR").map { FilePath($0.description) }
    let place = try FileSystem.makeUniqueDirectory(
      in: directory ?? FilePath("/tmp"),
      prefix: "provider-mount-"
    )
    let path = place.appending("log")
    let file = try Descriptor.open(path, [.readWrite, .create, .exclusive, .append], mode: 0o600)
    try FileSystem.removeTree(place)
    return SharedDescriptor(file)
  }

  /// What the program said, without its own name before it.
  private static func said(_ log: SharedDescriptor) throws -> String {
    let bytes = try log.with { file throws(SystemError) in try file.read(4096, at: 0) }
    let text = String(decoding: bytes, as: UTF8.self)
    let name = "\(program): "
    let lines = text.split(separator: "\n").map { line in
      line.hasPrefix(name) ? String(line.dropFirst(name.count)) : String(line)
    }
    return lines.isEmpty ? "\(program) ended without a word" : lines.joined(separator: " ")
  }

  // MARK: mounts

  /// Whether a provider's folder is mounted there; asks nobody who might not answer.
  static func isMounted(_ place: FilePath) -> Bool {
    guard let file = try? Descriptor.open(FilePath("/proc/self/mountinfo"), .readOnly),
      let bytes = try? file.readToEnd()
    else { return false }
    let real = realPath(place)
    return mounts(bytes).contains { $0 == place || $0 == real }
  }

  /// The place itself may not answer any more, what it lies in does.
  private static func realPath(_ place: FilePath) -> FilePath? {
    guard let name = place.lastComponent, let parent = place.parent else { return nil }
    return (try? FileSystem.realPath(parent))?.appending(name)
  }

  /// Where providers' folders are mounted.
  ///
  /// - SeeAlso: proc_pid_mountinfo(5)
  static func mounts(_ table: [UInt8]) -> [FilePath] {
    table.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count > 6,
        let dash = fields[6...].firstIndex(where: { $0.elementsEqual("-".utf8) }),
        dash + 1 < fields.count, fields[dash + 1].elementsEqual("fuse.\(program)".utf8)
      else { return nil }
      return FilePath(bytes: unescaped(fields[4]))
    }
  }

  /// Odd bytes are three octal digits after a backslash there.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        digits.allSatisfy({ (0x30...0x37).contains($0) })
      {
        plain.append(digits.reduce(0) { $0 &* 8 &+ ($1 & 7) })
        rest = rest.dropFirst(3)
      } else {
        plain.append(byte)
      }
    }
    return plain
  }
}
