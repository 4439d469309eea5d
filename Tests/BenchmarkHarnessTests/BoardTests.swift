import BenchmarkHarness
import LinuxSystem
import Testing

@Suite struct BoardTests {
  @Test func `what one lane records is seen through another mapping`() throws {
    let directory = try WorkDirectory()
    let ours = try Board(creating: FilePath("\(directory.path)/board"), lanes: 3)
    let theirs = try Board(opening: ours.path)

    ours.record(writing: false, waited: 100, lane: 0)
    ours.record(writing: true, waited: 5_000, lane: 2)
    ours.record(writing: true, waited: 7_000, lane: 2)

    #expect(theirs.lanes == 3)
    #expect(theirs[2, .writes] == 2)
    #expect(theirs.waits(writing: true, lanes: 0..<3).longest == 7_000)
    #expect(theirs.waits(writing: false, lanes: 0..<3).count == 1)
    #expect(theirs.waits(writing: true, lanes: 0..<2).count == 0)
  }

  @Test func `an item of a work directory is six levels deep and the directory goes away`() throws {
    var directory: WorkDirectory? = try WorkDirectory()
    let items = try #require(directory?.itemDirectory)

    #expect("\(items)/item".split(separator: "/").count >= 6)
    directory = nil

    #expect(throws: (any Error).self) { try FileStatus(of: FilePath(items)) }
  }
}
