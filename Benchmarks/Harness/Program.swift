package import Foundation

/// Programs that the benchmarks start.
package enum Program {
  /// What a program said until it ended.
  package struct Result: Sendable {
    package let status: Int32
    package let output: String
    package let errors: String
  }

  /// This program's own file, for workers that are the same program.
  package static var own: String { "/proc/self/exe".resolvingLink ?? CommandLine.arguments[0] }

  /// The program of this name on PATH, or nil.
  package static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program to its end.
  ///
  /// Blocks.
  /// - Throws: what Foundation says when the program cannot be started.
  package static func run(
    _ program: String,
    _ arguments: [String],
    environment: [String: String] = [:],
    input: String? = nil,
    directory: String? = nil
  ) throws -> Result {
    let process = prepare(program, arguments, environment: environment)
    if let directory { process.currentDirectoryURL = URL(filePath: directory) }
    let output = Pipe()
    let errors = TemporaryText()
    process.standardOutput = output
    process.standardError = errors.handle
    let source = Pipe()
    process.standardInput = input == nil ? FileHandle.nullDevice : source
    try process.run()
    if let input {
      try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try source.fileHandleForWriting.close()
    }
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: String(decoding: data, as: UTF8.self),
      errors: errors.text
    )
  }

  /// A process that is ready to run, with variables added to the environment.
  package static func prepare(
    _ program: String,
    _ arguments: [String],
    environment: [String: String]
  ) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    return process
  }
}

/// Where a program's complaints go: a file, so that no full pipe can stop it.
package final class TemporaryText {
  package let handle: FileHandle
  private let path: String

  package init() {
    path = FileManager.default.temporaryDirectory.path + "/fcb-\(UUID().uuidString)"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    handle = FileHandle(forUpdatingAtPath: path) ?? .nullDevice
  }

  deinit {
    // Best effort: an empty file in the temporary directory is all that could stay.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// What was written to it so far, without blanks around.
  package var text: String {
    // A file that went away has nothing to tell.
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension String {
  fileprivate var resolvingLink: String? {
    // No /proc: the caller falls back on the name it was called by.
    try? FileManager.default.destinationOfSymbolicLink(atPath: self)
  }
}
