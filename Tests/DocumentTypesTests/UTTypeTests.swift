import DocumentTypes
import Foundation
import Testing

struct UTTypeTests {
  @Test(arguments: [
    ("png", "public.png", "image/png"), ("txt", "public.plain-text", "text/plain"),
    ("PDF", "com.adobe.pdf", "application/pdf"),
    ("md", "net.daringfireball.markdown", "text/markdown"),
  ])
  func `an extension, a type and a MIME type lead to each other`(
    name: String,
    identifier: String,
    mime: String
  ) throws {
    let type = try #require(UTType(filenameExtension: name))
    #expect(type.identifier == identifier)
    #expect(type.preferredMIMEType == mime)
    #expect(UTType(mimeType: mime)?.identifier == identifier)
    #expect(type.preferredFilenameExtension == name.lowercased())
  }

  @Test func `conformance goes all the way up`() {
    #expect(UTType.swiftSource.conforms(to: .plainText))
    #expect(UTType.swiftSource.conforms(to: .item))
    #expect(UTType.swiftSource.conforms(to: .content))
    #expect(!UTType.swiftSource.conforms(to: .image))
    #expect(UTType.text.isSupertype(of: .json))
    #expect(!UTType.text.isSubtype(of: .text))
    #expect(UTType.package.conforms(to: .directory))
  }

  @Test func `an unknown extension is a dynamic type`() throws {
    let type = try #require(UTType(filenameExtension: "Zzqx"))
    #expect(type.identifier == "dyn.ext.zzqx")
    #expect(type.isDynamic && !type.isDeclared && type.conforms(to: .data))
    #expect(type.preferredFilenameExtension == "zzqx")
    #expect(UTType(type.identifier) == type)
    let package = try #require(UTType(filenameExtension: "zzqx", conformingTo: .package))
    #expect(package != type && package.conforms(to: .directory) && !package.conforms(to: .data))
    #expect(UTType(package.identifier)?.conforms(to: .package) == true)
    #expect(UTType(filenameExtension: "") == nil)
    #expect(UTType(filenameExtension: "a/b") == nil)
    #expect(UTType(mimeType: "nonsense") == nil)
    #expect(UTType("com.example.undeclared") == nil)
  }

  @Test func `a program declares types of its own`() {
    let type = UTType.declare(
      "com.example.drawing",
      conformingTo: [.package],
      filenameExtensions: ["zzdrawing"]
    )
    #expect(UTType("COM.Example.Drawing") == type)
    #expect(UTType(filenameExtension: "zzdrawing", conformingTo: .package) == type)
    #expect(type.isDeclared && !type.isPublic)
    #expect(UTType(exportedAs: "com.example.drawing") == type)
    UTType.declare("public.png", conformingTo: [.text])
    #expect(!UTType.png.conforms(to: .text))
  }

  @Test func `a type is encoded as its identifier`() throws {
    let data = try JSONEncoder().encode([UTType.json])
    #expect(String(decoding: data, as: UTF8.self) == #"["public.json"]"#)
    #expect(try JSONDecoder().decode([UTType].self, from: data) == [.json])
  }

  @Test func `URLs take the extension of a type`() {
    let base = URL(fileURLWithPath: "/d", isDirectory: true)
    #expect(base.appendingPathComponent("a", conformingTo: .png).lastPathComponent == "a.png")
    #expect(base.appendingPathComponent("a.jpg", conformingTo: .jpeg).lastPathComponent == "a.jpg")
    #expect(UTType(of: base.appendingPathComponent("x.json")) == .json)
  }

  @Test func `the MIME database of a directory is read`() throws {
    let home = FileManager.default.temporaryDirectory
      .appendingPathComponent("mime-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: home) }
    let mime = home.appendingPathComponent("mime")
    try FileManager.default.createDirectory(at: mime, withIntermediateDirectories: true)
    let globs = "50:text/x-a:*.aa\n80:text/x-b:*.aa\n50:text/x-mk:Makefile\n50:x/y:*.tar.gz\njunk\n"
    try Data(globs.utf8).write(to: mime.appendingPathComponent("globs2"))
    try Data("text/old text/x-a\n".utf8).write(to: mime.appendingPathComponent("aliases"))
    try Data("text/x-a text/x-parent\n".utf8).write(to: mime.appendingPathComponent("subclasses"))
    let database = SharedMimeInfo(dataDirectories: [home])
    #expect(database.mimeType(forFileName: "f.AA") == "text/x-b")
    #expect(database.mimeType(forFileName: "Makefile") == "text/x-mk")
    #expect(database.mimeType(forFileName: "f.tar.gz") == "x/y")
    #expect(database.mimeType(forFileName: "f.none") == nil)
    #expect(database.canonical("text/old") == "text/x-a")
    #expect(database.isSubclass("text/old", of: "text/x-parent"))
    #expect(database.isSubclass("text/x-a", of: "text/plain"))
    #expect(!database.isSubclass("inode/directory", of: "application/octet-stream"))
  }
}
