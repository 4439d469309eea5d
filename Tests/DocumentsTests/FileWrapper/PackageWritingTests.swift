import Documents
import Foundation
import LinuxSystem
import TestSupport
import Testing

struct PackageWritingTests {
  private func package() throws -> Folder {
    try Folder {
      Directory("p") {
        File("a", "A")
        File("b", "B")
        Directory("d") { File("c", "C") }
      }
    }
  }

  @Test func `statement 49: unchanged files are linked, the changed one is new`() throws {
    let folder = try package()
    let wrapper = try FileWrapper(url: folder.url("p"))
    wrapper.replaceRegularFile(forKey: "b", withContents: Data("B2".utf8))
    try wrapper.write(to: folder.url("q"), originalContentsURL: folder.url("p"))
    for name in ["a", "d/c"] {
      #expect(try folder.status("p/\(name)").isSameFile(as: folder.status("q/\(name)")))
    }
    #expect(try !folder.status("p/b").isSameFile(as: folder.status("q/b")))
    #expect(try folder.text("q/b") == "B2")
    #expect(try folder.text("p/b") == "B")
  }

  @Test func `statement 50: a file that others touched since is not linked`() throws {
    let folder = try package()
    let wrapper = try FileWrapper(url: folder.url("p"), options: .immediate)
    try folder.overwrite("p/a", "theirs")
    try wrapper.write(to: folder.url("q"), originalContentsURL: folder.url("p"))
    #expect(try folder.text("q/a") == "A")
    #expect(try !folder.status("p/a").isSameFile(as: folder.status("q/a")))
  }

  @Test func `statement 51: a directory is not written over another without .atomic`() throws {
    let folder = try package()
    let wrapper = FileWrapper(directoryWithFileWrappers: [:])
    #expect(cocoaCode { try wrapper.write(to: folder.url("p"), originalContentsURL: nil) } == 516)
    #expect(try folder.list("p") == ["a", "b", "d"])
  }

  @Test func `statement 52: names are updated only when asked for`() throws {
    let folder = try package()
    let wrapper = try FileWrapper(url: folder.url("p"))
    wrapper.addRegularFile(withContents: Data(), preferredFilename: "a")
    let key = "1__#$!@%!#__a"
    try wrapper.write(to: folder.url("q"), originalContentsURL: nil)
    #expect(wrapper.filename == "p" && wrapper[key]?.filename == nil)
    try wrapper.write(to: folder.url("r"), options: .withNameUpdating, originalContentsURL: nil)
    #expect(wrapper.filename == "r" && wrapper[key]?.filename == key)
    #expect(wrapper["d"]?["c"]?.filename == "c")
    #expect(try FileWrapper(url: folder.url("r"))[key]?.preferredFilename == key)
  }

  @Test func `what was written is linked by the next writing`() throws {
    let folder = try Folder()
    let wrapper = FileWrapper(directoryWithFileWrappers: [:])
    wrapper.addRegularFile(withContents: Data("1".utf8), preferredFilename: "a")
    wrapper.addRegularFile(withContents: Data("2".utf8), preferredFilename: "a")
    try wrapper.write(to: folder.url("p"), options: .withNameUpdating, originalContentsURL: nil)
    #expect(wrapper.matchesContents(of: folder.url("p")))
    try wrapper.write(
      to: folder.url("q"),
      options: .withNameUpdating,
      originalContentsURL: folder.url("p")
    )
    for name in try folder.list("p") {
      #expect(try folder.status("p/\(name)").isSameFile(as: folder.status("q/\(name)")))
    }
  }

  @Test func `field case F02: unread children are carried over by an atomic save in place`() throws
  {
    let folder = try package()
    let wrapper = try FileWrapper(url: folder.url("p"))
    let before = try folder.status("p/d/c")
    wrapper.replaceRegularFile(forKey: "a", withContents: Data("A2".utf8))
    try wrapper.write(
      to: folder.url("p"),
      options: [.atomic, .withNameUpdating],
      originalContentsURL: folder.url("p")
    )
    #expect(try folder.list("p") == ["a", "b", "d"])
    #expect(try folder.status("p/d/c").isSameFile(as: before))
    #expect(try folder.text("p/a") == "A2")
    #expect(try folder.list() == ["p"])
    // Read only now, from the package that took the old one's place.
    #expect(wrapper["b"]?.text == "B")
    #expect(wrapper["d"]?["c"]?.text == "C")
    #expect(wrapper.matchesContents(of: folder.url("p")))
  }

  @Test func `field case F04: a deep tree with all kinds is written as it is`() throws {
    let folder = try Folder()
    let deep = FileWrapper(directoryWithFileWrappers: [
      "2": FileWrapper(directoryWithFileWrappers: [
        "empty directory": FileWrapper(directoryWithFileWrappers: [:]),
        "empty": FileWrapper(regularFileWithContents: Data()),
        "link": FileWrapper(
          symbolicLinkWithDestinationURL: URL(
            fileURLWithPath: "empty",
            relativeTo: folder.url("p/2")
          )
        ),
      ])
    ])
    for text in ["x", "y"] {
      deep.addRegularFile(withContents: Data(text.utf8), preferredFilename: "same")
    }
    try deep.write(to: folder.url("p"), originalContentsURL: nil)
    #expect(try folder.list("p") == ["1__#$!@%!#__same", "2", "same"])
    #expect(try folder.list("p/2") == ["empty", "empty directory", "link"])
    #expect(try FileSystem.readLink(folder.path("p/2/link")) == FilePath("empty"))
    let again = try FileWrapper(url: folder.url("p"), options: .immediate)
    #expect(again.fileWrappers?.keys.sorted() == deep.fileWrappers?.keys.sorted())
    #expect(again["1__#$!@%!#__same"]?.text == "y")
  }

  @Test func `field case F05: a missing original is no error`() throws {
    let folder = try package()
    let wrapper = try FileWrapper(url: folder.url("p"))
    try wrapper.write(to: folder.url("q"), originalContentsURL: folder.url("gone"))
    #expect(try folder.text("q/d/c") == "C")
  }

  @Test func `field case F05: a failing atomic write leaves the old package whole`() throws {
    let folder = try package()
    let wrapper = try FileWrapper(url: folder.url("p"))
    let child = try #require(wrapper["d"]?["c"])
    child.preferredFilename = String(repeating: "n", count: 300)
    #expect(
      cocoaCode {
        try wrapper.write(
          to: folder.url("p"),
          options: [.atomic, .withNameUpdating],
          originalContentsURL: folder.url("p")
        )
      } == 514
    )
    #expect(try folder.list() == ["p"])
    #expect(try folder.text("p/d/c") == "C")
    #expect(child.filename == "c")
  }

  @Test func `a failing write leaves nothing behind`() throws {
    let folder = try package()
    let wrapper = try FileWrapper(url: folder.url("p"))
    try folder.overwrite("p/b", "theirs, before it was read")
    #expect(cocoaCode { try wrapper.write(to: folder.url("q"), originalContentsURL: nil) } == nil)
    _ = try FileSystem.removeTree(folder.path("q"))
    let late = try FileWrapper(url: folder.url("p"))
    _ = late.fileWrappers
    try folder.overwrite("p/b", "again")
    #expect(cocoaCode { try late.write(to: folder.url("q"), originalContentsURL: nil) } == 256)
    #expect(!folder.exists("q"))
  }

  @Test func `directories put together anew are still cheap`() throws {
    let folder = try package()
    let read = try FileWrapper(url: folder.url("p"))
    let c = try #require(read["d"]?["c"])
    let a = try #require(read["a"])
    let built = FileWrapper(directoryWithFileWrappers: [
      "a": a, "elsewhere": FileWrapper(directoryWithFileWrappers: ["c": c]),
    ])
    try built.write(to: folder.url("q"), originalContentsURL: folder.url("p"))
    #expect(try folder.status("q/elsewhere/c").isSameFile(as: folder.status("p/d/c")))
    #expect(try folder.status("q/a").isSameFile(as: folder.status("p/a")))
  }

  @Test func `other permissions are never given to a file of the old package`() throws {
    let folder = try package()
    let wrapper = try FileWrapper(url: folder.url("p"))
    let a = try #require(wrapper["a"])
    a.fileAttributes[FileAttributeKey.posixPermissions.rawValue] = NSNumber(value: 0o600)
    try wrapper.write(to: folder.url("q"), originalContentsURL: folder.url("p"))
    #expect(try folder.status("q/a").permissions == 0o600)
    #expect(try folder.status("p/a").permissions == 0o644)
    #expect(try folder.text("q/a") == "A")
  }

  @Test func `a package on another file system is copied with its times`() throws {
    let folder = try package()
    let other = try TemporaryDirectory(in: FilePath("/dev/shm"))
    let wrapper = try FileWrapper(url: folder.url("p"))
    let target = other.path.appending("q")
    try wrapper.write(
      to: URL(fileURLWithPath: target.description),
      originalContentsURL: folder.url("p")
    )
    let copy = try FileStatus(of: target.appending("a"))
    #expect(try copy.modified == folder.status("p/a").modified)
  }

  @Test func `a file and a link are written in one step over what was there`() throws {
    let folder = try Folder {
      File("f", "old")
      Directory("d") { File("x") }
    }
    let linked = folder.path("other name")
    try FileSystem.makeHardLink(linked, to: folder.path("f"))
    let file = FileWrapper(regularFileWithContents: Data("new".utf8))
    try file.write(to: folder.url("f"), options: .withNameUpdating, originalContentsURL: nil)
    #expect(try folder.text("f") == "new")
    #expect(try folder.text("other name") == "old")
    #expect(file.filename == "f")
    #expect(cocoaCode { try file.write(to: folder.url("d"), originalContentsURL: nil) } != nil)
    try file.write(to: folder.url("d"), options: .atomic, originalContentsURL: nil)
    #expect(try folder.text("d") == "new")
    let link = FileWrapper(symbolicLinkWithDestinationURL: URL(fileURLWithPath: "/dev/null"))
    try link.write(to: folder.url("f"), originalContentsURL: nil)
    #expect(try FileSystem.readLink(folder.path("f")) == FilePath("/dev/null"))
    #expect(try folder.list() == ["d", "f", "other name"])
  }

  @Test func `names that are no UTF-8, or equal but for their spelling, survive`() throws {
    let folder = try Folder { Directory("p") }
    let names: [[UInt8]] = [[0x66, 0xff], Array("e\u{301}".utf8), Array("\u{e9}".utf8)]
    for name in names {
      _ = try Descriptor.open(
        folder.path("p").appending(name),
        [.writeOnly, .create, .exclusive]
      )
    }
    let wrapper = try FileWrapper(url: folder.url("p"))
    #expect(wrapper.fileWrappers?.count == 3)
    try wrapper.write(to: folder.url("q"), originalContentsURL: folder.url("p"))
    #expect(Set(try FileSystem.list(folder.path("q"))) == Set(names))
  }

  @Test func `a snapshot is written as it was, and what it learns is known to the original`() throws
  {
    let folder = try package()
    let wrapper = try FileWrapper(url: folder.url("p"))
    let snapshot = wrapper.snapshot()
    wrapper.addRegularFile(withContents: Data(), preferredFilename: "later")
    try snapshot.write(
      to: folder.url("q"),
      options: .withNameUpdating,
      originalContentsURL: folder.url("p")
    )
    #expect(try folder.list("q") == ["a", "b", "d"])
    #expect(wrapper.filename == "q")
    try FileSystem.rename(folder.path("q"), to: folder.path("r"))
    wrapper.noteMoved(to: folder.url("r"))
    #expect(wrapper["d"]?["c"]?.text == "C")
  }
}
