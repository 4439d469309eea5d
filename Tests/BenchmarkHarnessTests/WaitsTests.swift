import BenchmarkHarness
import Testing

@Suite struct WaitsTests {
  @Test func `a bucket holds what lies within 1.6 percent of its middle`() {
    for nanoseconds in [0, 1, 63, 64, 65, 127, 128, 1_000, 123_456, 20_000_000, 3_000_000_000]
      as [UInt64]
    {
      let middle = Waits.middle(of: Waits.bucket(of: nanoseconds))
      #expect(abs(middle - Double(nanoseconds)) <= 0.016 * Double(nanoseconds))
    }
  }

  @Test func `buckets grow with the duration`() {
    let buckets = stride(from: UInt64(0), to: 100_000, by: 7).map(Waits.bucket(of:))

    #expect(buckets == buckets.sorted())
  }

  @Test func `percentiles of one to a thousand are where they should be`() throws {
    var waits = Waits()
    for value in 1...1_000 { waits.add(UInt64(value)) }

    let half = try #require(waits.percentile(0.5))
    let most = try #require(waits.percentile(0.99))
    #expect(abs(half - 500) < 10)
    #expect(abs(most - 990) < 18)
    #expect(waits.percentile(1) == 1_000)
    #expect(waits.longest == 1_000)
  }

  @Test func `nothing has no percentile`() {
    #expect(Waits().percentile(0.5) == nil)
  }

  @Test func `the median of an even number of values lies between the middle two`() {
    #expect(Statistics.median([4, 1, 3, 2]) == 2.5)
    #expect(Statistics.median([]).isNaN)
  }

  @Test func `pairs take turns in alternating order`() {
    var order = ""

    let pairs = Pairs(
      rounds: 3,
      ours: {
        order += "o"
        return 6
      },
      floor: {
        order += "f"
        return 2
      }
    )

    #expect(order == "fooffo")
    #expect(pairs.ratio == 3)
  }
}
