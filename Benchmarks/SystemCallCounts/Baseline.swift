import BenchmarkHarness
import Foundation

/// How many system calls an operation is known to make, recorded in a file of its own.
struct Baseline: Codable, Sendable {
  private let operation: String
  /// Exactly so many, by name.
  private let calls: [String: Double]
  /// At most so many: their number depends on which thread happens to run when.
  private let varying: [String: Double]

  /// Calls per operation below which one is noise: janitors, threads that end.
  static let noise = 0.1

  /// What was counted now; of varying calls twice as many and two more, four at least.
  init(_ operation: Operation, _ counted: [String: Double]) {
    self.operation = operation.name
    calls = counted.filter { !operation.varying.contains($0.key) }
    var limits: [String: Double] = [:]
    for name in operation.varying {
      limits[name] = max(4, ((counted[name] ?? 0) * 2 + 2).rounded(.up))
    }
    varying = limits
  }

  /// Reads what is recorded.
  init(_ name: String, in directory: String) throws {
    let data = try Data(contentsOf: URL(filePath: Self.path(name, directory)))
    self = try JSONDecoder().decode(Baseline.self, from: data)
  }

  func write(in directory: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    var text = try encoder.encode(self)
    text.append(UInt8(ascii: "\n"))
    try text.write(to: URL(filePath: Self.path(operation, directory)))
  }

  /// What is not as recorded, one line each.
  func differences(from counted: [String: Double]) -> [String] {
    Set(counted.keys).union(calls.keys).sorted().compactMap { name in
      let now = counted[name] ?? 0
      if let most = varying[name] {
        return now <= most
          ? nil : "\(name): \(Figure.short(now)), at most \(Figure.short(most)) recorded"
      }
      let recorded = calls[name] ?? 0
      return abs(now - recorded) <= 2 * Self.noise
        ? nil : "\(name): \(Figure.short(now)), \(Figure.short(recorded)) recorded"
    }
  }

  private static func path(_ name: String, _ directory: String) -> String {
    "\(directory)/\(name).json"
  }
}
