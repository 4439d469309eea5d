import DocumentSource
import Foundation
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct SourceAttributeTests {
  private let directory: TemporaryDirectory
  private let file: URL
  private let name = DocumentSourceAttribute.attributeName
  private let sample = DocumentSourceAttribute(
    bundleIdentifier: "com.appliedphasor.working-copy",
    applicationName: "Working Copy",
    documentPath: "directory/filename.ext",
    appInfoURL: URL(string: "https://example.org/appInfo.json")
  )
  init() throws {
    directory = try TemporaryDirectory()
    try File("a.txt", "text").write(into: directory.path)
    file = directory.path.appending("a.txt").urlForTests
  }
  private func path(_ name: String) -> FilePath { directory.path.appending(name) }

  @Test func `statement 45: what is written is a binary property list under the user's name`()
    throws
  {
    try sample.write(to: file)
    let bytes = try #require(try FileSystem.attribute(name, of: path("a.txt")))
    #expect(bytes.starts(with: Array("bplist00".utf8)))
    let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    let values = try #require(list as? [String: String])
    #expect(Set(values.keys) == ["identifier", "name", "path", "appInfoURL"])
    #expect(values["path"] == "directory/filename.ext")
    #expect(try DocumentSourceAttribute.read(from: file) == sample)
    // Only what there is; what was there before is replaced.
    try DocumentSourceAttribute(applicationName: "Ü").write(to: file)
    #expect(try DocumentSourceAttribute.read(from: file) == .init(applicationName: "Ü"))
    try DocumentSourceAttribute.remove(from: file)
    try DocumentSourceAttribute.remove(from: file)
    #expect(try DocumentSourceAttribute.read(from: file) == nil)
  }

  @Test func `statement 45: values that other programs wrote are read, in every format`() throws {
    // As CoreFoundation writes it on other systems: made with python3's plistlib.
    for format in ["FMT_BINARY", "FMT_XML"] {
      let script = """
        import os, plistlib, sys
        os.setxattr(sys.argv[1], "\(name)", plistlib.dumps({"identifier": "org.x", "name": "X", \
        "path": "p", "appInfoURL": "https://x.org/a"}, fmt=plistlib.\(format)))
        """
      let end = try ChildProcess(
        FilePath("/usr/bin/python3"),
        ["-c", script, path("a.txt").description]
      ).wait()
      try #require(end == .exited(0))
      let read = try DocumentSourceAttribute.read(from: file)
      #expect(read?.bundleIdentifier == "org.x" && read?.documentPath == "p")
    }
    // And the other way round.
    try sample.write(to: file)
    let script = """
      import os, plistlib, sys
      d = plistlib.loads(os.getxattr(sys.argv[1], "\(name)"))
      sys.exit(0 if d["name"] == "Working Copy" and len(d) == 4 else 1)
      """
    #expect(
      try ChildProcess(FilePath("/usr/bin/python3"), ["-c", script, path("a.txt").description])
        .wait()
        == .exited(0)
    )
  }

  @Test func `statement 46: values of other types, unknown keys and no dictionary`() throws {
    func put(_ list: Any) throws {
      let data = try PropertyListSerialization.data(
        fromPropertyList: list,
        format: .binary,
        options: 0
      )
      try FileSystem.setAttribute(name, to: Array(data), of: path("a.txt"))
    }
    try put(["identifier": 7, "name": "N", "other": ["x"], "appInfoURL": Data()] as [String: Any])
    #expect(try DocumentSourceAttribute.read(from: file) == .init(applicationName: "N"))
    try put([String: String]())
    #expect(try DocumentSourceAttribute.read(from: file) == .init())
    try put(["a", "b"])
    #expect(try DocumentSourceAttribute.read(from: file) == nil)
    #expect(throws: DocumentSourceError.self) {
      try DocumentSourceAttribute.read(from: #require(URL(string: "https://example.org")))
    }
    #expect(XDSDocumentSourceAttribute.readDocumentSourceAttribute(at: URL(string: "x:y")!) == nil)
  }

  @Test func `hostile values say nothing, and end nobody`() throws {
    func read(_ bytes: [UInt8]) throws -> DocumentSourceAttribute? {
      try FileSystem.setAttribute(name, to: bytes, of: path("a.txt"))
      return try DocumentSourceAttribute.read(from: file)
    }
    let good = Array(try sample.propertyList())
    // An array that holds itself.
    let cycle: [UInt8] =
      Array("bplist00".utf8) + [0xa1, 0x00, 0x08] + [0, 0, 0, 0, 0, 0, 1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
    #expect(try read(cycle) == nil)
    #expect(try read(Array(String(repeating: "<array>", count: 500).utf8)) == nil)
    #expect(try read(Array(String(repeating: "(", count: 3000).utf8)) == nil)
    // A set, which Foundation cannot take.
    let set: [UInt8] =
      Array("bplist00".utf8) + [0xc1, 0x01, 0x51, 0x61, 0x08, 0x0a] + [0, 0, 0, 0, 0, 0, 1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 12]
    #expect(try read(set) == nil)
    #expect(try read([]) == nil)
    #expect(try read(Array("bplist00".utf8)) == nil)
    for length in 0..<good.count { _ = try read(Array(good.prefix(length))) }
    for at in good.indices {
      for bit in 0..<8 {
        var broken = good
        broken[at] ^= 1 << UInt8(bit)
        _ = try? DocumentSourceAttribute(propertyList: Data(broken))
      }
    }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      var broken = good
      for _ in 0..<Int.random(in: 1...6) {
        broken[Int.random(in: 8..<broken.count)] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = try? DocumentSourceAttribute(propertyList: Data(broken))
    }
  }

  @Test func `a value that the file system has no room for is refused with its length`() throws {
    let long = DocumentSourceAttribute(documentPath: String(repeating: "p", count: 70_000))
    let failure = try #require(throws: DocumentSourceError.self) { try long.write(to: file) }
    #expect(failure.kind == .tooLarge && failure.description.contains("ext4"))
    #expect(try DocumentSourceAttribute.read(from: file) == nil)
    // Beyond what ext4 takes, within what the kernel does: its answer is told.
    let middle = DocumentSourceAttribute(documentPath: String(repeating: "p", count: 65_000))
    do { try middle.write(to: file) } catch let error as DocumentSourceError {
      #expect(error.kind == .tooLarge && error.systemErrorNumber != 0)
    }
  }

  @Test func `files, folders and what links lead to carry it; /proc does not`() throws {
    try FileSystem.makeDirectory(path("d"))
    try FileSystem.makeLink(path("link"), to: FilePath("a.txt"))
    for name in ["d", "link"] {
      try sample.write(to: path(name).urlForTests)
      #expect(try DocumentSourceAttribute.read(from: path(name).urlForTests) == sample)
    }
    #expect(try DocumentSourceAttribute.read(from: file) == sample)
    let failure = try #require(throws: DocumentSourceError.self) {
      try sample.write(to: URL(fileURLWithPath: "/proc/version"))
    }
    #expect(failure.kind != .tooLarge)
    #expect(throws: DocumentSourceError.self) { try sample.write(to: path("none").urlForTests) }
  }

  @Test func `the published class does the same`() throws {
    let source = XDSDocumentSourceAttribute(
      bundleIdentifier: "org.x",
      applicationName: nil,
      documentPath: "p",
      appInfoURL: nil
    )
    #expect(source.write(to: file))
    let read = try #require(XDSDocumentSourceAttribute.readDocumentSourceAttribute(at: file))
    #expect(read.bundleIdentifier == "org.x" && read.documentPath == "p")
    #expect(read.applicationName == nil && read.appInfoURL == nil)
    #expect(!source.write(to: path("none").urlForTests))
  }
}

extension FilePath {
  var urlForTests: URL { URL(fileURLWithPath: description) }
}
