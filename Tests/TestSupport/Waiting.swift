import LinuxSystem

/// How long tests wait for what must come.
package enum TestLimits {
  /// `TEST_PATIENCE` multiplies it, for builds that run many times slower.
  package static let positive = Duration.seconds(20 * patience)
  private static let patience =
    Environment.value(of: "TEST_PATIENCE").flatMap { Int($0.description) } ?? 1
  package static let negative = Duration.milliseconds(150)
}

/// Something that had to happen did not.
package struct NotInTime: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

/// Waits until `condition` holds; looks every 2 ms.
///
/// - Throws: ``NotInTime`` when the limit is over.
package func eventually(
  _ what: String,
  within limit: Duration = TestLimits.positive,
  _ condition: () throws -> Bool
) async throws {
  let deadline = MonotonicInstant.now + limit
  while try !condition() {
    if MonotonicInstant.now >= deadline { throw NotInTime("\(what): not within \(limit)") }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Waits until there is a value; looks every 2 ms.
package func eventually<Value>(
  _ what: String,
  within limit: Duration = TestLimits.positive,
  value: () throws -> Value?
) async throws -> Value {
  let deadline = MonotonicInstant.now + limit
  while true {
    if let found = try value() { return found }
    if MonotonicInstant.now >= deadline { throw NotInTime("\(what): not within \(limit)") }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Whether `condition` stays false for a while, which is short on purpose.
package func never(
  for duration: Duration = TestLimits.negative,
  _ condition: () throws -> Bool
) async throws -> Bool {
  let deadline = MonotonicInstant.now + duration
  while MonotonicInstant.now < deadline {
    if try condition() { return false }
    try await Task.sleep(for: .milliseconds(2))
  }
  return try !condition()
}

/// Waits on the main actor until `condition` holds; looks every 2 ms, and lets the main queue run.
@MainActor package func eventuallyOnMain(
  _ what: String,
  within limit: Duration = TestLimits.positive,
  _ condition: @MainActor () throws -> Bool
) async throws {
  let deadline = MonotonicInstant.now + limit
  while try !condition() {
    if MonotonicInstant.now >= deadline { throw NotInTime("\(what): not within \(limit)") }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Whether `condition` stays false on the main actor for a while, which is short on purpose.
@MainActor package func neverOnMain(
  for duration: Duration = TestLimits.negative,
  _ condition: @MainActor () throws -> Bool
) async throws -> Bool {
  let deadline = MonotonicInstant.now + duration
  while MonotonicInstant.now < deadline {
    if try condition() { return false }
    try await Task.sleep(for: .milliseconds(2))
  }
  return try !condition()
}
