package import LinuxSystem

/// The page that all workers of one run and the benchmark share: when to start, what was counted.
///
/// A file of 64-bit words; the same layout stands in `lock_worker.h` and `python_worker.py`. A worker
/// thread writes its own lane and the words of the file whose lock it holds, nothing else.
package final class Board: Sendable {
  /// Where it is; workers get this as an argument.
  package let path: FilePath
  /// How many worker threads have a lane.
  package let lanes: Int
  private let map: MappedFile

  /// Words of the header.
  package enum Header: Int { case start, stop, hold, gap, turn, waiting, releasedAt, done }
  /// Words of a lane before its two histograms.
  package enum LaneWord: Int { case ready, reads, writes, violations, longestRead, longestWrite }

  package static let fileLimit = 64
  private static let headerWords = 64
  private static let fileWords = 8
  private static let histograms = 16
  private static let lanesAt = headerWords + fileWords * fileLimit
  private static let laneWords = histograms + 2 * Waits.bucketCount

  /// Makes an empty one.
  package init(creating path: FilePath, lanes: Int) throws(SystemError) {
    let length = 8 * (Self.lanesAt + lanes * Self.laneWords)
    let file = try Descriptor.open(path, [.readWrite, .create, .truncate])
    try file.setLength(length)
    map = try MappedFile(file, length: length)
    self.path = path
    self.lanes = lanes
  }

  /// Opens the one that the benchmark made.
  package init(opening path: FilePath) throws(SystemError) {
    let file = try Descriptor.open(path, .readWrite)
    let length = Int(try FileStatus(of: file).size)
    map = try MappedFile(file, length: length)
    self.path = path
    lanes = (length / 8 - Self.lanesAt) / Self.laneWords
  }

  package subscript(word: Header) -> UInt64 {
    get { map.load64(8 * word.rawValue) }
    set { map.store64(newValue, at: 8 * word.rawValue) }
  }

  package subscript(number: Int, word: LaneWord) -> UInt64 {
    get { map.load64(8 * (start(of: number) + word.rawValue)) }
    set { map.store64(newValue, at: 8 * (start(of: number) + word.rawValue)) }
  }

  /// The counter of a file; every writer adds one, not atomically, under its lock.
  package subscript(counterOf file: Int) -> UInt64 {
    get { map.load64(8 * (Self.headerWords + file * Self.fileWords)) }
    set { map.store64(newValue, at: 8 * (Self.headerWords + file * Self.fileWords)) }
  }

  /// Whether a writer is inside, as the writers say themselves.
  package subscript(writerInside file: Int) -> Bool {
    get { map.load64(8 * (Self.headerWords + file * Self.fileWords + 1)) != 0 }
    set { map.store64(newValue ? 1 : 0, at: 8 * (Self.headerWords + file * Self.fileWords + 1)) }
  }

  /// Counts one access of the lane's thread, which waited so long, in nanoseconds.
  package func record(writing: Bool, waited: UInt64, lane number: Int) {
    self[number, writing ? .writes : .reads] += 1
    let longest: LaneWord = writing ? .longestWrite : .longestRead
    if waited > self[number, longest] { self[number, longest] = waited }
    let bucket = Waits.bucket(of: waited) + (writing ? Waits.bucketCount : 0)
    let at = 8 * (start(of: number) + Self.histograms + bucket)
    map.store64(map.load64(at) + 1, at: at)
  }

  /// What these lanes waited for, reading or writing.
  package func waits(writing: Bool, lanes: Range<Int>) -> Waits {
    var waits = Waits()
    for number in lanes {
      let first = start(of: number) + Self.histograms + (writing ? Waits.bucketCount : 0)
      for bucket in 0..<Waits.bucketCount {
        waits.add(map.load64(8 * (first + bucket)), inBucket: bucket)
      }
      waits.note(longest: self[number, writing ? .longestWrite : .longestRead])
    }
    return waits
  }

  private func start(of number: Int) -> Int { Self.lanesAt + number * Self.laneWords }
}
