import PeerScript
import TestSupport
import Testing

/// A file package is one item: statements 12 to 14 and the table of section 2.3.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct PackageBlockingTests {
  private func duel() async throws -> (Duel, d: String, k: String) {
    let duel = try await Duel {
      Directory("d") {
        Directory("K.pkg") {
          File("a", "text")
          File("b", "text")
        }
        Directory("v1.2") {
          File("a", "text")
          File("b", "text")
        }
      }
    }
    return (duel, duel.world.path("d"), duel.world.path("d/K.pkg"))
  }

  @Test func `statement 12: a reader in a package waits for a writer elsewhere in it`()
    async throws
  {
    let (duel, _, k) = try await duel()

    try await duel.expect(.write("\(k)/a"), then: .read("\(k)/b"), waits: true)
    try await duel.expect(.write("\(k)/a"), then: .write(k), waits: true)
    try await duel.expect(.write(k), then: .read("\(k)/b"), waits: true)
    try await duel.expect(.read("\(k)/a"), then: .write("\(k)/b"), waits: true)
  }

  @Test func `statement 13: readers of a package and in it do not wait for each other`()
    async throws
  {
    let (duel, _, k) = try await duel()

    try await duel.expect(.read("\(k)/a"), then: .read(k), waits: false)
    try await duel.expect(.read("\(k)/a"), then: .read("\(k)/b"), waits: false)
  }

  @Test func `statement 14: a reader of the directory does not wait for a writer in the package`()
    async throws
  {
    let (duel, d, k) = try await duel()

    try await duel.expect(.write("\(k)/a"), then: .read(d), waits: false)
    try await duel.expect(.write("\(k)/a"), then: .write(d), waits: false)
    try await duel.expect(.write("\(k)/a"), then: .write(d, Writing.forMoving), waits: true)
    try await duel.expect(.write(d, Writing.forMoving), then: .read("\(k)/a"), waits: true)
  }

  @Test func `a deletion in a package is a write of the package`() async throws {
    let (duel, _, k) = try await duel()

    try await duel.expect(.write("\(k)/a", Writing.forDeleting), then: .read("\(k)/b"), waits: true)
    try await duel.expect(.read("\(k)/b"), then: .write("\(k)/a", Writing.forDeleting), waits: true)
  }

  @Test func `a directory is no package because its name has a dot`() async throws {
    let (duel, d, _) = try await duel()

    try await duel.expect(.write("\(d)/v1.2/a"), then: .write("\(d)/v1.2/b"), waits: false)
  }
}
