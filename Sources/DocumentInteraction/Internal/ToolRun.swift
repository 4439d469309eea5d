import LinuxSystem

/// Runs a program of the system to its end, without a shell.
struct ToolRun {
  /// The program of this name in PATH, or nil.
  static func find(_ name: String) -> FilePath? {
    let path = Environment.value(of: "PATH")?.bytes ?? []
    for directory in path.split(separator: UInt8(ascii: ":")) where directory.first == .slash {
      let file = FilePath(bytes: directory).appending(name)
      if isProgram(file) { return file }
    }
    return nil
  }

  /// Whether there is a file that may be run.
  static func isProgram(_ file: FilePath) -> Bool {
    // Missing is the rule.
    guard let status = try? FileStatus(of: file, followingLink: true) else { return false }
    return status.kind == .regular && status.permissions & 0o111 != 0
  }

  /// Its exit status, and what it said to its standard error.
  let status: Int32
  let errors: String

  /// Blocks until it has ended; what it leaves behind in the background is not waited for.
  ///
  /// It reads from a descriptor; what it writes to its standard output goes to another, or is dropped.
  init(
    _ program: FilePath,
    _ arguments: [String],
    input: borrowing Descriptor,
    output: CInt? = nil
  ) throws(SystemError) {
    // A file, not a pipe: what stays in the background would hold a pipe open.
    let complaints = try MemoryFile.empty()
    let nowhere = try Descriptor.open(FilePath("/dev/null"), .writeOnly)
    let process = try ChildProcess(
      program,
      arguments,
      input: input.number,
      output: output ?? nowhere.number,
      error: complaints.number
    )
    status =
      switch process.wait() {
      case .exited(let status): status
      case .signalled(let number): 128 + number
      }
    errors = String(decoding: try complaints.read(4096, at: 0), as: UTF8.self)
  }
}
