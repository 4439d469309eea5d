import Foundation
import LinuxSystem
import TestSupport
import Testing

/// In which order a save calls the system, and with what: seen by strace.
@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess))
struct SaveTraceTests {
  private static let kinds = ["file", "package", "document", "package-document"]

  private func folder(_ kind: String) throws -> Folder {
    guard kind.hasPrefix("package") else { return try Folder { File("item.rtfd", "old") } }
    return try Folder {
      Directory("item.rtfd") {
        File("text", "old")
        File("note", "always")
      }
    }
  }

  @Test(arguments: kinds)
  func `contents are on the device before the name is, and the name before the end (J06)`(
    _ kind: String
  ) async throws {
    let folder = try folder(kind)
    let trace = try await SaveTrace(kind, "item.rtfd", in: folder)
    let item = folder.path("item.rtfd").description
    let swap = try #require(trace.indices("renameat2", about: item).last, "no swap")
    #expect(!trace.made.isEmpty, "\(trace)")
    for path in trace.made {
      let writes = trace.indices("write", "pwrite64", about: path)
      let flushes = trace.indices("fsync", "fdatasync", about: path)
      let last = try #require(flushes.last, "\(path) is not flushed")
      #expect(writes.allSatisfy { $0 < last } && last < swap, "\(path)\n\(trace)")
    }
    if kind.hasPrefix("package") {
      let root = try #require(trace.made.first.map { FilePath($0).parent }??.description)
      let flush = try #require(trace.indices("fsync", about: root).last, "the package's directory")
      #expect(flush < swap)
    }
    let directory = folder.directory.path.description
    #expect(trace.indices("fsync", about: directory).contains { $0 > swap }, "the directory")
  }

  @Test(arguments: kinds)
  func `attributes go by descriptor, and nobody else reads a temporary (J12, J13)`(
    _ kind: String
  ) async throws {
    let folder = try folder(kind)
    try FileSystem.setPermissions(
      folder.path("item.rtfd"),
      kind.hasPrefix("package") ? 0o700 : 0o640
    )
    try FileSystem.setAttribute("user.x", to: [7], of: folder.path("item.rtfd"))
    let trace = try await SaveTrace(kind, "item.rtfd", in: folder)
    let byPath = trace.indices(
      "chmod",
      "fchmodat",
      "fchmodat2",
      "chown",
      "lchown",
      "fchownat",
      "setxattr",
      "lsetxattr"
    )
    #expect(byPath.isEmpty, "\(byPath.map { trace.calls[$0] })")
    for index in trace.indices("openat") where trace.calls[index].text.contains("O_CREAT") {
      let text = trace.calls[index].text
      guard text.contains("/.sb-") else { continue }
      // Which follows no link, either.
      #expect(text.contains("O_EXCL"), "\(text)")
      // Writable and readable by its owner from birth: some file systems refuse a handle otherwise.
      #expect(text.contains(kind.hasPrefix("package") ? ", 0666" : ", 0600"), "\(text)")
    }
    if kind == "package-document" {
      // What is inside is as private as the directory.
      let directories = trace.indices("mkdirat").map { trace.calls[$0].text }
        .filter { $0.contains("/.sb-") }
      #expect(directories.count == 1 && directories[0].contains(", 0700"), "\(directories)")
      let swap = try #require(trace.indices("renameat2").last)
      let root = try #require(trace.made.first.map { FilePath($0).parent }??.description)
      let opened = trace.indices("fchmod", about: root).filter { $0 < swap }
        .map { trace.calls[$0].text }
      #expect(opened.allSatisfy { $0.contains(", 0700") }, "\(opened)")
    }
    #expect(
      try folder.status("item.rtfd").permissions == (kind.hasPrefix("package") ? 0o700 : 0o640)
    )
    #expect(try FileSystem.attribute("user.x", of: folder.path("item.rtfd")) == [7])
  }

  /// What strace makes the first call about a temporary answer.
  ///
  /// fsync tells of what went wrong while writing; over some network file systems close(2) is the
  /// first to tell.
  static let failures = [
    "write:error=ENOSPC", "fsync:error=EIO", "fsync:error=ENOSPC", "renameat2:error=EIO",
    "close:error=EIO", "close:error=ENOSPC",
  ]

  @Test(arguments: ["file", "package", "document"], failures)
  func `a step that fails fails the save and leaves the old item (J05)`(
    _ kind: String,
    _ failure: String
  ) async throws {
    let call = String(failure.prefix { $0 != ":" })
    // strace counts each thread's calls, and other threads of a document close as many files before.
    if kind == "document", call == "close" { return }
    // How many calls of the name the saving thread makes before the first about a temporary.
    let trace = try await SaveTrace(kind, "item.rtfd", in: try folder(kind))
    let first = try #require(trace.firstAboutTemporary(call), "no \(call) about a temporary")
    let folder = try folder(kind)
    let outcome = try await DocumentPeerRun(folder: folder).run(
      ["save", kind, folder.path("item.rtfd").description, "new"],
      below: [
        "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
        "inject=\(failure):when=\(first)",
      ]
    )
    let end: Int32 = kind == "document" ? 3 : 1
    #expect(outcome.end == .exited(end), "\(outcome)")
    let text = kind == "package" ? "item.rtfd/text" : "item.rtfd"
    #expect(try folder.text(text) == "old")
    #expect(try folder.list().filter { $0.hasPrefix(".sb-") } == [])
    let later = try await DocumentPeerRun(folder: folder)
      .run(["save", kind, folder.path("item.rtfd").description, "later"])
    #expect(later.end == .exited(0))
    #expect(try folder.text(text) == "later")
  }
}
