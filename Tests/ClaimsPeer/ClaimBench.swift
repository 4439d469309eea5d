import AccessClaims
import CoordinationRuntime
import LinuxSystem

/// Figures of the bare claim layer, for whoever changes it: `claims-peer bench DIR unc|ex|mix|starve`.
///
/// The bars of the project are measured through the public API by contention-benchmark.
enum ClaimBench {
  static func run(_ arguments: [String]) throws {
    let directory = FilePath(arguments[0])
    let runtime = try RuntimeDirectory(
      .init(path: directory.appending("runtime"), isExplicit: true, isTemporary: false)
    )
    let table = ClaimTable(runtime: runtime)
    let file = directory.appending("a/b/c/d/file")
    switch arguments[1] {
    case "unc": try uncontended(table, file, directory)
    default: try worker(table, file, directory, Array(arguments.dropFirst(1)))
    }
  }

  private static func request(_ path: FilePath, _ access: ClaimRequest.Access) -> ClaimRequest {
    ClaimRequest(
      items: [.init(path: path, access: access)],
      purpose: Purpose(identifier: "bench \(ProcessIdentity.current.pid)", mayBeShared: false)
    )
  }

  private static func uncontended(_ table: ClaimTable, _ file: FilePath, _ directory: FilePath)
    throws
  {
    let rounds = 100_000
    for access in [ClaimRequest.Access.read, .write, .structuralWrite] {
      let request = request(file, access)
      for _ in 0..<3 {
        let start = MonotonicInstant.now
        for _ in 0..<rounds { try table.acquire(request, waiter: PlainWaiter()).release() }
        let time = (MonotonicInstant.now - start) / rounds
        Output.line("\(access): \(time)")
      }
    }
    let name = directory.appending("raw")
    for _ in 0..<3 {
      let start = MonotonicInstant.now
      for _ in 0..<rounds {
        let lock = try Descriptor.open(name, [.readWrite, .create])
        _ = FileLock.attempt(lock.number, .exclusive)
        FileLock.release(lock.number)
      }
      Output.line("open+flock+unlock+close: \((MonotonicInstant.now - start) / rounds)")
    }
    let lock = try Descriptor.open(name, [.readWrite, .create])
    let start = MonotonicInstant.now
    for _ in 0..<rounds {
      _ = FileLock.attempt(lock.number, .exclusive)
      FileLock.release(lock.number)
    }
    Output.line("flock pair: \((MonotonicInstant.now - start) / rounds)")
    let parent = FilePath(bytes: file.parent?.bytes ?? [])
    let look = MonotonicInstant.now
    for _ in 0..<rounds { _ = Descriptor.isFreeOfLinks(parent) }
    Output.line("openat2+close: \((MonotonicInstant.now - look) / rounds)")
  }

  /// Takes the words ex, mix or starve; ours or raw; index; start in nanoseconds; seconds.
  private static func worker(
    _ table: ClaimTable,
    _ file: FilePath,
    _ directory: FilePath,
    _ arguments: [String]
  ) throws {
    let scenario = arguments[0]
    let isRaw = arguments[1] == "raw"
    let index = Int(arguments[2]) ?? 0
    let start = MonotonicInstant(nanoseconds: UInt64(arguments[3]) ?? 0)
    let end = start + .milliseconds(Int64((Double(arguments[4]) ?? 1) * 1000))
    let hold = Duration.microseconds(scenario == "starve" ? 200 : 20)
    let raw = try Descriptor.open(directory.appending("rawlock"), [.readWrite, .create])
    var random = UInt64(index + 1)
    var reads = 0
    var writes = 0
    var waits: [UInt64] = []
    var readWaits: [UInt64] = []
    while MonotonicInstant.now < start { ShortPause.run(until: start) }
    while MonotonicInstant.now < end {
      random = random &* 6_364_136_223_846_793_005 &+ 1
      let isWrite =
        switch scenario {
        case "ex": true
        case "mix": (random >> 33) % 100 < 5
        default: index == 0
        }
      let before = MonotonicInstant.now
      if isRaw {
        _ = FileLock.wait(raw.number, isWrite ? .exclusive : .shared)
        let got = MonotonicInstant.now.nanoseconds - before.nanoseconds
        if isWrite { waits.append(got) } else { readWaits.append(got) }
        ShortPause.run(until: MonotonicInstant.now + hold)
        FileLock.release(raw.number)
      } else {
        let claim = try table.acquire(
          request(file, isWrite ? .write : .read),
          waiter: PlainWaiter()
        )
        let got = MonotonicInstant.now.nanoseconds - before.nanoseconds
        if isWrite { waits.append(got) } else { readWaits.append(got) }
        ShortPause.run(until: MonotonicInstant.now + hold)
        claim.release()
      }
      if isWrite { writes += 1 } else { reads += 1 }
    }
    waits.sort()
    readWaits.sort()
    func part(_ list: [UInt64], _ share: Double) -> Double {
      list.isEmpty ? 0 : Double(list[min(list.count - 1, Int(Double(list.count) * share))]) / 1000
    }
    Output.line(
      "\(index) reads \(reads) writes \(writes) "
        + "write wait p50 \(part(waits, 0.5)) p99 \(part(waits, 0.99)) max \(part(waits, 1)) us, "
        + "read wait p50 \(part(readWaits, 0.5)) p99 \(part(readWaits, 0.99)) "
        + "max \(part(readWaits, 1)) us"
    )
  }
}
