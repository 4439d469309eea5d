import Foundation
import Testing

/// What programs write through the mount, and what the provider hears of it.
@Suite(.timeLimit(.minutes(2)))
struct WritingTests {
  @Test func `a file that is written is told of once, after it was closed`() async throws {
    let world = try MountWorld()
    let mount = try await world.mount()
    let written = try await world.shell(
      "exec 3> a.txt; echo one >&3; echo two >&3; echo open; exec 3>&-; cat a.txt"
    )
    #expect(written.output == "open\none\ntwo\n" && written.errors == "")
    try await eventually("told of") { world.calls("changed") == ["changed a.txt 8"] }
    #expect(try await never { world.calls("changed").count > 1 })
    #expect(world.text("control/contents/a.txt") == "one\ntwo\n")
    #expect(mount.isRunning)
  }

  @Test func `what is replaced is not fetched, what is added to is`() async throws {
    let world = try MountWorld(["a.txt": "old", "b.txt": "old\n", "c.txt": "old", "d.txt": "old"])
    for name in ["a.txt", "b.txt", "c.txt", "d.txt"] {
      try world.placeholder(name, ["NSURLFileSizeKey": 3])
    }
    let mount = try await world.mount()
    let written = try await world.shell(
      """
      echo new > a.txt; echo more >> b.txt; : > c.txt; printf N | dd of=d.txt conv=notrunc status=none
      cat a.txt b.txt c.txt d.txt
      """
    )
    #expect(written.output == "new\nold\nmore\nNld" && written.errors == "")
    #expect(world.calls("start").sorted() == ["start b.txt", "start d.txt"])
    try await eventually("all told of") { world.calls("changed").count == 4 }
    for name in ["a.txt", "b.txt", "c.txt", "d.txt"] { #expect(world.isHere(name)) }
    #expect(mount.isRunning)
  }

  @Test(arguments: ["yes", "no", "auto"])
  func `vim saves, in whatever way`(_ way: String) async throws {
    let world = try MountWorld(["a.txt": "whole\n"])
    try world.placeholder("a.txt")
    let mount = try await world.mount()
    let vim = try await world.shell(
      "vim -es -u NONE -c 'set backupcopy=\(way) backup writebackup fsync backupskip=' -c 'normal Gosecond' -c wq a.txt"
    )
    #expect(vim.status == 0)
    #expect(try await world.shell("cat a.txt; ls -A").output == "whole\nsecond\na.txt\na.txt~\n")
    try await eventually("told of") { world.text("control/contents/a.txt") == "whole\nsecond\n" }
    #expect(world.calls("start") == ["start a.txt"])
    #expect(mount.isRunning)
  }

  @Test func `sed, sort, tar, cp, mv and others work as ever`() async throws {
    let world = try MountWorld(["a.txt": "b\na\n", "gone.txt": "x", "moved.txt": "moved"])
    for name in ["a.txt", "gone.txt", "moved.txt"] { try world.placeholder(name) }
    let mount = try await world.mount()
    let lines = [
      "sed -i s/a/c/ a.txt && cat a.txt", "sort -o a.txt a.txt && cat a.txt",
      "cp a.txt copy.txt && cmp a.txt copy.txt",
      "cp -a copy.txt exact.txt && cmp copy.txt exact.txt",
      "mv moved.txt there.txt && cat there.txt && ! test -e moved.txt",
      "rm gone.txt && ! test -e gone.txt", "mkdir -p d/e && cp a.txt d/e && rm -r d && ! test -e d",
      "mkdir -m 750 p && stat -c %a p && rmdir p", "chmod 640 a.txt && stat -c %a a.txt",
      "touch -d @1000000000 a.txt && stat -c %Y a.txt",
      "ln -s a.txt link && readlink link && cat link",
      "ln a.txt hard && cmp a.txt hard && rm hard", "mv -n a.txt copy.txt; cat a.txt",
      "truncate -s 2 a.txt && stat -c %s a.txt", "tar cf t.tar a.txt copy.txt && tar tf t.tar",
      "mkdir x && tar xf t.tar -C x && cmp x/a.txt a.txt && mv x y && cat y/a.txt",
      "dd if=/dev/zero of=z bs=64k count=16 conv=fsync status=none && stat -c %s z",
      "setfattr -n user.k -v v a.txt && getfattr --only-values -n user.k a.txt",
      "fallocate -l 4096 f && stat -c %s f", "cd y && rm -r ../y && ! test -e ../y/a.txt",
      "printf 'x' > u && chmod 400 u && cat u && rm -f u",
      "perl -pi -e 's/c/d/' copy.txt && cat copy.txt",
    ]
    for line in lines {
      let outcome = try await world.shell("set -e\n\(line)")
      #expect(outcome.status == 0 && outcome.errors == "", "\(line): \(outcome)")
    }
    #expect(mount.isRunning)
    #expect(world.calls("start").count == 2)
  }

  @Test func `a file that is open stays what it was, renamed, removed or replaced`() async throws {
    let world = try MountWorld()
    let mount = try await world.mount()
    let outcome = try await world.shell(
      """
      exec 3<> a; echo one >&3; mv a b; echo two >&3; cat b
      rm b; echo three >&3; ls -A; exec 3>&-
      echo old > c; exec 5< c; echo new > d; mv d c; read x <&5; echo $x; cat c
      """
    )
    #expect(outcome.output == "one\ntwo\nold\nnew\n" && outcome.errors == "")
    #expect(mount.isRunning)
  }

  @Test func `a file that is renamed while it is written is told of under its last name`()
    async throws
  {
    let world = try MountWorld()
    let mount = try await world.mount()
    _ = try await world.shell("exec 3> a; echo one >&3; mv a b; echo two >&3; exec 3>&-")
    try await eventually("told of") { world.text("control/contents/b") == "one\ntwo\n" }
    #expect(mount.isRunning)
  }

  @Test func `a program that reads what it has open for writing does not wait for itself`()
    async throws
  {
    let world = try MountWorld(["a.txt": "whole\n"])
    try world.placeholder("a.txt")
    try await world.makeGate()
    let mount = try await world.mount()
    let writer = try world.startShell(
      "exec 3>> a.txt; echo open; read x < '\(world.control.path)/gate'; cat a.txt; echo + >> a.txt; cat a.txt >> a.txt; exec 3>&-"
    )
    try await eventually("it is open") { writer.text("out").contains("open") }
    // Somebody who coordinates stands in line: that must not matter to the program.
    let reader = try world.start("mounted-peer", "read", world.own("a.txt"))
    #expect(try await never { !reader.isRunning })
    try await world.openGate()
    let outcome = try await writer.end()
    #expect(outcome.output == "open\nwhole\n")
    #expect(outcome.errors.contains("input file is output file"))
    #expect(try await reader.end().output == "whole\n+\n\n")
    #expect(mount.isRunning)
  }
}
