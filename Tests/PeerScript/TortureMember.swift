/// What one member of the torture test does.
package struct TortureMember: Codable, Sendable {
  package var name: String
  package var seed: UInt64
  /// Directory of the tree.
  package var root: String
  /// File to which the member appends what it did, one record per line.
  package var trace: String
  package var threads: Int
  package var seconds: Double

  package init(
    name: String,
    seed: UInt64,
    root: String,
    trace: String,
    threads: Int,
    seconds: Double
  ) {
    self.name = name
    self.seed = seed
    self.root = root
    self.trace = trace
    self.threads = threads
    self.seconds = seconds
  }
}
