import LinuxSystem
import ProviderLink
import TestSupport
import Testing

/// Declarations that are damaged, or mean harm.
struct DeclarationTests {
  let directory: TemporaryDirectory
  init() throws { directory = try TemporaryDirectory() }

  static let good = """
    {"identifier": "org.example.a", "displayName": "A", "modes": ["import", "open"],
     "supportedTypes": ["public.data"], "documentGroup": "org.example.a", "exec": ["/bin/true"]}
    """
  func put(_ name: String, _ text: String) throws {
    try File(name, text).write(into: directory.path)
  }
  var catalog: ProviderCatalog { ProviderCatalog.load(from: [directory.path]) }

  @Test func `one that is in order counts`() throws {
    try put("a.json", Self.good)
    let found = try #require(catalog.declarations.first)
    #expect(found.identifier == "org.example.a" && found.modes == [.import, .open])
    #expect(catalog.problems.isEmpty)
  }

  @Test(arguments: [
    ("", ""), ("{", ""), ("[]", ""), ("null", ""),
    (#""org.example.a", "displayName""#, #""../../etc", "displayName""#),
    (#""org.example.a", "displayName""#, #""", "displayName""#),
    (#""org.example.a", "displayName""#, #"".hidden", "displayName""#),
    (#""displayName": "A""#, #""displayName": "A\u001b[2J""#),
    (#""displayName": "A""#, #""displayName": "A\u202e""#),
    (#""documentGroup": "org.example.a""#, #""documentGroup": "../../../etc""#),
    (#""documentGroup": "org.example.a""#, #""documentGroup": "a/b""#),
    (#""documentGroup": "org.example.a","#, ""),
    (#"["import", "open"]"#, #"["import", "everything"]"#),
    (#"["import", "open"]"#, "[]"),
    (#"["/bin/true"]"#, #"["true"]"#),
    (#"["/bin/true"]"#, "[]"),
    (#"["/bin/true"]"#, #"["/bin/true\u0000x"]"#),
    (#""exec""#, #""exitAfterSeconds": -1, "exec""#),
    (#""exec""#, #""stopAfterSeconds": 1e300, "exec""#),
    (#"["public.data"]"#, "[]"),
  ])
  func `one that is not is left out, and said why`(_ old: String, _ new: String) throws {
    let text =
      new.isEmpty && old.count < 5 ? old : Self.good.replacingOccurrence(of: old, with: new)
    try put("a.json", text)
    try put("b.json", Self.good.replacingOccurrence(of: "org.example.a", with: "org.example.b"))
    #expect(catalog.declarations.map(\.identifier) == ["org.example.b"])
    #expect(catalog.problems.count == 1)
  }

  @Test func `pipes, directories, giants and files that anybody may write are left out`() throws {
    try FileSystem.makeDirectory(directory.path.appending("d.json"))
    try ChildProcess(
      FilePath("/usr/bin/mkfifo"),
      [directory.path.appending("p.json").description]
    ).wait()
    try put("g.json", String(repeating: " ", count: 1 << 20) + Self.good)
    try put("w.json", Self.good)
    try FileSystem.setPermissions(directory.path.appending("w.json"), 0o666)
    try FileSystem.makeLink(directory.path.appending("l.json"), to: FilePath("/dev/zero"))
    try put("n.json", String(repeating: "[", count: 60_000))
    #expect(catalog.declarations.isEmpty)
    #expect(catalog.problems.count == 6)
  }

  @Test func `the first directory's file counts, and the first of one identifier or group`() throws
  {
    let second = try TemporaryDirectory()
    try put("a.json", Self.good)
    try File("a.json", Self.good.replacingOccurrence(of: #""A""#, with: #""B""#))
      .write(into: second.path)
    try File("c.json", Self.good).write(into: second.path)
    let found = ProviderCatalog.load(from: [directory.path, second.path])
    #expect(found.declarations.map(\.displayName) == ["A"])
    #expect(found.problems.count == 1)
  }

  @Test func `every declaration that is cut or has a flipped bit is refused or read, never a trap`()
    throws
  {
    let bytes = Array(Self.good.utf8)
    for index in bytes.indices {
      for changed in [
        Array(bytes[..<index]),
        bytes.enumerated().map {
          $0.offset == index ? $0.element ^ 1 << UInt8(index % 8) : $0.element
        },
      ] {
        let file = try Descriptor.open(
          directory.path.appending("a.json"),
          [.writeOnly, .create, .truncate]
        )
        try file.write(changed)
        let found = catalog
        #expect(found.declarations.count + found.problems.count == 1)
      }
    }
  }

  @Test func `packets of strangers are refused, whatever is in them`() {
    var random = SystemRandomNumberGenerator()
    for length in 0..<200 {
      let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = ProviderMessage.read(noise)
      _ = ProviderMessage.read(Array("FP".utf8) + [1] + noise)
    }
    for path in ["relative", "/a/../b", "/a/./b", "/a\0b", ""] {
      let packet = ProviderMessage.hello.packet(number: 1)
      #expect(
        ProviderMessage.read(packet.prefix(3) + [1] + packet.suffix(4) + Array(path.utf8)) == nil
      )
    }
    let message = ProviderMessage.provide(FilePath("/a/b"))
    #expect(ProviderMessage.read(message.packet(number: 7))?.message == message)
  }
}

extension String {
  /// This text with the first such part replaced; without Foundation's search.
  fileprivate func replacingOccurrence(of old: String, with new: String) -> String {
    guard !old.isEmpty, let range = firstRange(of: old) else { return new.isEmpty ? old : self }
    return replacingCharacters(in: range, with: new)
  }
  private func replacingCharacters(in range: Range<Index>, with new: String) -> String {
    self[..<range.lowerBound] + new + self[range.upperBound...]
  }
}
