import Foundation
import LinuxSystem
import Synchronization
import Testing
import ZipArchive

@Suite(.timeLimit(.minutes(3))) struct ZipArchiveTests {
  let work: Workplace
  init() throws { work = try Workplace() }

  @Test func `the top entry is the directory's name and everything is below it`() throws {
    try work.directory("doc", mode: 0o750)
    try work.directory("doc/empty")
    try work.directory("doc/deep")
    try work.file("doc/deep/text", Array("hello".utf8), mode: 0o640)
    try work.file("doc/tool", Array("#!/bin/sh\n".utf8), mode: 0o755)

    try ZipArchive.write(directory: work("doc"), to: work("out.zip"))

    let listing = try ArchiveListing(of: work("out.zip"))
    #expect(
      Set(listing.entries.map { String(decoding: $0.name, as: UTF8.self) }) == [
        "doc/", "doc/deep/", "doc/empty/", "doc/tool", "doc/deep/text",
      ]
    )
    #expect(listing.entries.first?.name == Array("doc/".utf8))
    #expect(listing["doc/"]?.mode == 0o040750)
    #expect(listing["doc/tool"]?.mode == 0o100755)
    #expect(listing["doc/deep/text"]?.mode == 0o100640)
    #expect(listing["doc/deep/text"]?.contents == Array("hello".utf8))
    #expect(listing["doc/empty/"] != nil)
    #expect(try FileStatus(of: work("out.zip")).permissions == 0o600)
  }

  /// A17.
  @Test func `links are kept as links wherever they point`() throws {
    try work.directory("doc")
    try work.directory("doc/inner")
    try work.file("doc/inner/file", Array("inside".utf8))
    try work.file("secret", Array("outside".utf8))
    let links = [
      "relative": "inner/file", "dangling": "nowhere/at/all", "outside": "../secret",
      "absolute": "/etc/passwd", "directory": "inner", "loop": "loop",
    ]
    for (name, target) in links {
      try FileSystem.makeLink(work("doc").appending(name), to: FilePath(target))
    }

    try ZipArchive.write(directory: work("doc"), to: work("out.zip"))

    let listing = try ArchiveListing(of: work("out.zip"))
    for (name, target) in links {
      let entry = try #require(listing["doc/\(name)"], "\(name) is missing")
      #expect(entry.target == Array(target.utf8))
      #expect(entry.mode & 0o170000 == 0o120000)
    }
    #expect(listing.entries.count == links.count + 3)
    #expect(!listing.entries.contains { $0.contents == Array("outside".utf8) })
    #expect(try FileSystem.readLink(work("doc/outside")) == FilePath("../secret"))
  }

  /// K04.
  @Test func `names that are not UTF-8 keep their bytes and spoil no other name`() throws {
    try work.directory("doc")
    let bad: [UInt8] = [0x62, 0xff, 0xfe, 0x0a, 0x25]
    let good = Array("ö-é.txt".utf8)
    try Workplace.file(work("doc").appending(bad), Array("1".utf8))
    try Workplace.file(work("doc").appending(good), Array("2".utf8))

    try ZipArchive.write(directory: work("doc"), to: work("out.zip"))

    let bytes = try Descriptor.open(work("out.zip"), .readOnly).readToEnd()
    // Of the central directory's entries only the good name carries the UTF-8 mark (bit 11).
    var marked: [[UInt8]: Bool] = [:]
    for at in bytes.indices.dropLast(46)
    where Array(bytes[at..<at + 4]) == [0x50, 0x4b, 0x01, 0x02] {
      let length = Int(bytes[at + 28]) | Int(bytes[at + 29]) << 8
      marked[Array(bytes[at + 46..<at + 46 + length])] = bytes[at + 9] & 0x08 != 0
    }
    #expect(marked[Array("doc/".utf8) + bad] == false)
    #expect(marked[Array("doc/".utf8) + good] == true)
  }

  private static let readers = ["/usr/bin/unzip", "/usr/bin/python3"]
    .filter { FileManager.default.isExecutableFile(atPath: $0) }

  /// With whichever of the two is installed.
  @Test(arguments: readers) func `other programs read the archive`(_ reader: String) throws {
    try work.directory("doc")
    try work.directory("doc/empty")
    try work.file("doc/text", Array("hello".utf8))
    try FileSystem.makeLink(work("doc/link"), to: FilePath("text"))
    try Workplace.file(work("doc").appending([0x62, 0xff]), Array("1".utf8))
    try Workplace.file(work("doc").appending(Array("ö".utf8)), Array("2".utf8))

    try ZipArchive.write(directory: work("doc"), to: work("out.zip"))

    let arguments =
      reader.hasSuffix("unzip")
      ? ["-tq", "\(work("out.zip"))"]
      : ["-m", "zipfile", "-t", "\(work("out.zip"))"]
    let null = try Descriptor.open(FilePath("/dev/null"), .readWrite)
    let process = try ChildProcess(
      FilePath(reader),
      arguments,
      input: null.number,
      output: null.number
    )
    #expect(process.wait() == .exited(0))
  }

  @Test func `modification times are kept`() throws {
    try work.directory("doc")
    try work.file("doc/old")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_234_567_890)],
      ofItemAtPath: "\(work("doc/old"))"
    )

    try ZipArchive.write(directory: work("doc"), to: work("out.zip"))

    #expect(try ArchiveListing(of: work("out.zip"))["doc/old"]?.modified == 1_234_567_890)
  }

  @Test func `a file of several megabytes is stored whole`() throws {
    try work.directory("doc")
    var seed: UInt64 = 42
    let contents = (0..<3_000_001).map { _ -> UInt8 in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: seed >> 33)
    }
    try work.file("doc/big", contents)

    try ZipArchive.write(directory: work("doc"), to: work("out.zip"))

    #expect(try ArchiveListing(of: work("out.zip"))["doc/big"]?.contents == contents)
  }

  @Test func `sockets and FIFOs are left out without blocking`() throws {
    try work.directory("doc")
    let folder = try Descriptor.open(work("doc"), [.readOnly, .directory])
    let socket = try UnixSocket.listen(in: folder.number, name: "socket")
    #expect(socket.number >= 0)
    #expect(mkfifo("\(work("doc/fifo"))", 0o600) == 0)
    try work.file("doc/file", Array("x".utf8))

    try ZipArchive.write(directory: work("doc"), to: work("out.zip"))

    let listing = try ArchiveListing(of: work("out.zip"))
    #expect(listing["doc/socket"] == nil)
    #expect(listing["doc/fifo"] == nil)
    #expect(listing["doc/file"] != nil)
  }

  @Test func `the archive itself may lie inside the directory`() throws {
    try work.directory("doc")
    try work.file("doc/file", Array("x".utf8))

    try ZipArchive.write(directory: work("doc"), to: work("doc/out.zip"))

    let listing = try ArchiveListing(of: work("doc/out.zip"))
    #expect(listing.entries.count == 2)
  }

  @Test func `an archive that exists is not touched`() throws {
    try work.directory("doc")
    try work.file("out.zip", Array("mine".utf8))

    let error = #expect(throws: ZipArchiveError.self) {
      try ZipArchive.write(directory: work("doc"), to: work("out.zip"))
    }
    #expect(error?.code == .alreadyExists)
    #expect(try Descriptor.open(work("out.zip"), .readOnly).readToEnd() == Array("mine".utf8))
  }

  @Test func `what is no directory is refused and leaves no archive`() throws {
    try work.file("file")
    try work.directory("doc")
    try FileSystem.makeLink(work("link"), to: FilePath("doc"))

    for (name, code) in [
      ("file", Errno.notDirectory), ("link", .notDirectory), ("missing", .noEntry),
    ] {
      let error = #expect(throws: ZipArchiveError.self) {
        try ZipArchive.write(directory: work(name), to: work("out.zip"))
      }
      #expect(error?.code == code)
      #expect(throws: SystemError.self) { try FileStatus(of: work("out.zip")) }
    }
  }

  @Test func `a tree deeper than there are descriptors is archived whole`() throws {
    try work.directory("doc")
    var place = work("doc")
    for _ in 0..<600 {
      place = place.appending("d")
      try FileSystem.makeDirectory(place)
    }
    try Workplace.file(place.appending("leaf"), Array("x".utf8))

    try ZipArchive.write(directory: work("doc"), to: work("out.zip"))

    let listing = try ArchiveListing(of: work("out.zip"))
    #expect(listing.entries.count == 602)
    #expect(listing.entries.last?.contents == Array("x".utf8))
  }

  @Test func `items that come and go during the walk do no harm`() throws {
    try work.directory("doc")
    for index in 0..<200 { try work.file("doc/steady-\(index)", Array("s".utf8)) }
    let stop = StopFlag()
    let done = DispatchSemaphore(value: 0)
    let base = work("doc")
    try BlockingThread.start("churn") {
      var round = 0
      while !stop.isSet {
        // Whatever fails here fails because the walk or the next round got in between.
        let name = base.appending("flicker-\(round % 7)")
        try? FileSystem.makeDirectory(name)
        try? Workplace.file(name.appending("inner"), Array("i".utf8))
        try? FileSystem.removeTree(name)
        try? FileSystem.makeLink(name, to: FilePath("/etc"))
        try? FileSystem.removeFile(name)
        try? Workplace.file(name, Array("f".utf8))
        try? FileSystem.removeFile(name)
        round += 1
      }
      done.signal()
    }
    defer {
      stop.set()
      done.wait()
    }

    for round in 0..<20 {
      try ZipArchive.write(directory: base, to: work("out-\(round).zip"))

      let names = try ArchiveListing(of: work("out-\(round).zip")).entries.map {
        String(decoding: $0.name, as: UTF8.self)
      }
      #expect(names.filter { $0.contains("steady") }.count == 200)
      #expect(!names.contains { $0.contains("passwd") })
    }
  }
}

private final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)
  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}
