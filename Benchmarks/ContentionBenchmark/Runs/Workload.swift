/// What the workers of a run do.
enum Workload: String, CaseIterable, Codable, Sendable {
  /// One process locks and unlocks, again and again.
  case uncontended
  /// All write the same files.
  case exclusive
  /// All do both, most of it reading.
  case mixed
  /// All but one read, without a pause; one writes, without a pause.
  case starvation
  /// One waits, the other gives up: how long until the first is inside.
  case handOff = "hand-off"

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
