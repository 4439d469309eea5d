import Foundation
import Testing

/// What programs see of what is not here: everything, and nothing of it is fetched.
@Suite(.timeLimit(.minutes(2)))
struct LookingTests {
  @Test func `placeholders are files of the size, time and kind that they say`() async throws {
    let world = try MountWorld()
    let then = Date(timeIntervalSince1970: 1_500_000_000.25)
    try world.placeholder(
      "big.txt",
      ["NSURLFileSizeKey": 123_456_789_012, "NSURLContentModificationDateKey": then]
    )
    try world.placeholder("Projekt.bundle", ["NSURLIsPackageKey": true])
    try world.put("data/\(MountWorld.identifier)/File Provider Storage/here.txt", "here")
    let mount = try await world.mount()

    let list = try await world.shell(
      "ls -A && stat -c '%n %s %Y %F %b' big.txt Projekt.bundle here.txt"
    )

    #expect(list.errors == "")
    let lines = list.output.split(separator: "\n").map(String.init)
    #expect(lines.prefix(3) == ["Projekt.bundle", "big.txt", "here.txt"])
    #expect(lines[3] == "big.txt 123456789012 1500000000 regular file 0")
    #expect(lines[4].contains("directory"))
    #expect(lines[5].hasPrefix("here.txt 4 "))
    #expect(world.log.isEmpty && world.providers.isEmpty)
    #expect(mount.isRunning)
  }

  @Test func `looking at everything fetches nothing`() async throws {
    let world = try MountWorld(["a.txt": "whole"])
    try world.placeholder("a.txt", ["NSURLFileSizeKey": 5])
    let mount = try await world.mount()

    let looked = try await world.shell(
      "find . -type f -newermt 1990-01-01 -print; getfattr -d a.txt; test -r a.txt; ls -la; df . >/dev/null"
    )

    #expect(looked.output.contains("./a.txt"))
    #expect(world.log.isEmpty)
    #expect(mount.isRunning)
  }

  @Test func `placeholders themselves are not there, and cannot be made`() async throws {
    let world = try MountWorld(["a.txt": "whole"])
    try world.placeholder("a.txt")
    let mount = try await world.mount()
    #expect(try await world.shell("cat .a.txt.placeholder").errors.contains("No such file"))
    #expect(try await world.shell("touch .b.txt.placeholder").errors.contains("not permitted"))
    #expect(
      try await world.shell("echo > x; mv x .b.txt.placeholder").errors.contains("not permitted")
    )
    #expect(mount.isRunning)
  }

  @Test(arguments: ["", "garbage", "bplist00\u{1}\u{2}", "<plist><array><array>"])
  func `a damaged placeholder stands for an empty file all the same`(_ text: String) async throws {
    let world = try MountWorld(["a.txt": "whole"])
    try Data(text.utf8).write(to: world.placeholder(of: "a.txt"))
    let mount = try await world.mount()
    let seen = try await world.shell("stat -c %s a.txt; cat a.txt")
    #expect(seen.output == "0\nwhole")
    #expect(mount.isRunning)
  }

  @Test func `names of every kind are seen and opened`() async throws {
    let names = ["a b.txt", "ä%20.txt", "-n", "new\nline", "d/e/f.txt", "\u{1}x", "é"]
    let world = try MountWorld(Dictionary(uniqueKeysWithValues: names.map { ($0, "<\($0)>") }))
    try FileManager.default.createDirectory(
      at: world.storage.appending(path: "d/e"),
      withIntermediateDirectories: true
    )
    for name in names { try world.placeholder(name, ["NSURLFileSizeKey": 3]) }
    let mount = try await world.mount()
    for name in names {
      let read = try await world.run("cat", world.seen(name))
      #expect(read.output == "<\(name)>" && read.errors == "")
    }
    // No text at all: made, written and read through the mount, as bytes.
    let bytes = try await world.shell(
      "f=$(printf 'x\\377y'); echo raw > \"$f\" && cat \"$f\" && ls -b | grep x.377y"
    )
    #expect(bytes.output == "raw\nx\\377y\n" && bytes.errors == "")
    #expect(mount.isRunning)
  }

  @Test func `what lies in a package that is not here is fetched with it`() async throws {
    let world = try MountWorld(["Pack/part.txt": "part", "Other/part.txt": "other"])
    for name in ["Pack", "Other"] { try world.placeholder(name, ["NSURLIsPackageKey": true]) }
    let mount = try await world.mount()
    #expect(try await world.shell("ls Pack").output == "part.txt\n")
    #expect(try await world.shell("cat Other/part.txt").output == "other")
    #expect(world.calls("start") == ["start Pack", "start Other"])
    #expect(mount.isRunning)
  }
}
