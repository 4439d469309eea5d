import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess))
struct BookmarkAndSourceVerbTests {
  let world: World
  init() throws {
    world = try World {
      File("a.txt", "text")
      File("noise", "no bookmark")
    }
  }

  @Test func `a bookmark is made, shown, and found again after a rename`() async throws {
    #expect(try await world.shell("filecoord bookmark create a.txt mark").status == 0)
    #expect(try await world.shell("filecoord bookmark create a.txt mark").status == 73)
    #expect(try await world.shell("filecoord bookmark create --force a.txt mark").status == 0)
    #expect(
      try await world.shell("filecoord bookmark show mark").output
        == "\(world.path("a.txt"))  file\n"
    )
    #expect(
      try await world.shell("filecoord bookmark resolve mark").output == "\(world.path("a.txt"))\n"
    )
    try await world.prepare("mv a.txt b.txt")
    #expect(
      try await world.shell("filecoord bookmark resolve --json mark").output
        == "{\"path\":\"\(world.path("b.txt"))\",\"stale\":true,\"url\":\"file://\(world.path("b.txt"))\"}\n"
    )
    try await world.prepare("rm b.txt")
    #expect(try await world.shell("filecoord bookmark resolve mark").status == 66)
    #expect(try await world.shell("filecoord bookmark show --json mark").output.contains("a.txt"))
  }

  @Test func `what is no bookmark, or not there, is said with its status`() async throws {
    #expect(try await world.shell("filecoord bookmark resolve noise").status == 1)
    #expect(try await world.shell("filecoord bookmark resolve none").status == 66)
    #expect(try await world.shell("filecoord bookmark create none mark").status == 66)
    for words in ["", "frob", "resolve", "create a.txt"] {
      #expect(try await world.shell("filecoord bookmark \(words)").status == 64)
    }
    // Damaged in every way: never more than an error.
    try await world.prepare("filecoord bookmark create a.txt mark")
    try await world.prepare("for n in 0 1 5 40 90; do head -c $n mark > cut$n; done")
    for length in [0, 1, 5, 40, 90] {
      #expect(try await world.shell("filecoord bookmark resolve cut\(length)").status == 1)
    }
  }

  @Test func `a document's source is set, shown and taken away`() async throws {
    #expect(try await world.shell("filecoord source get a.txt").output == "")
    #expect(
      try await world.shell(
        "filecoord source set --identifier=org.x --name='X y' --path=p/q --app-info=https://x.org/a a.txt"
      ).status == 0
    )
    let shown = try await world.shell("filecoord source get --json a.txt").output
    #expect(shown.contains("\"identifier\":\"org.x\"") && shown.contains("\"name\":\"X y\""))
    let attribute = "import os;print(os.getxattr('a.txt','user.x-document-source')[:8].decode())"
    #expect(try await world.shell("/usr/bin/python3 -c \"\(attribute)\"").output == "bplist00\n")
    // Names that would move the cursor are shown harmlessly.
    #expect(
      try await world.shell("filecoord source set --name=\"$(printf 'a\\033[2Jb')\" a.txt").status
        == 0
    )
    #expect(try await world.shell("filecoord source get a.txt").output.contains("name: a␛[2Jb"))
    #expect(try await world.shell("filecoord source set --remove a.txt").status == 0)
    #expect(try await world.shell("filecoord source get a.txt").output == "")
  }

  @Test func `a source is set while nobody writes the file, also through a link`() async throws {
    try await world.prepare("ln -s a.txt link")
    let holder = try world.startShell("filecoord write a.txt -- sh -c 'echo in; read x'")
    try await holder.expect("in")

    #expect(try await world.shell("filecoord source set -t 0 --name=x link").status == 75)
    #expect(try await world.shell("filecoord source get a.txt").output == "")
    _ = try await holder.end()
    #expect(try await world.shell("filecoord source set -t 0 --name=x link").status == 0)
    #expect(try await world.shell("filecoord source get a.txt").output.contains("name: x"))
  }

  @Test func `sources that cannot be set say why`() async throws {
    #expect(try await world.shell("filecoord source set a.txt").status == 64)
    #expect(try await world.shell("filecoord source get none").status == 66)
    let long = try await world.shell(
      "filecoord source set --path=\"$(head -c 70000 /dev/zero | tr '\\0' p)\" a.txt"
    )
    #expect(long.status == 1 && long.errors.contains("no room"))
  }
}
