/// Times that decide what counts as one change.
package struct Tuning: Sendable {
  /// A save by rename, a new name or changed attributes are reported after this long without more.
  package var quiet: Duration = .milliseconds(100)
  /// … and at the latest after this long.
  ///
  /// A name that is gone is given all of it to come back.
  package var limit: Duration = .milliseconds(300)
  /// The same as `quiet` for a new file that is one of more than 500 names in its directory of which
  /// something was heard: somebody copies or unpacks, nobody saves.
  package var quietInCrowd: Duration = .milliseconds(20)
  static let crowd = 500
  /// How often a file is reported whose writer keeps it open.
  package var whileOpen: Duration = .seconds(1)
  /// The shortest time between two looks at what the kernel does not report.
  package var shortestPoll: Duration = .seconds(1)
  /// The longest, reached when looks find nothing.
  package var longestPoll: Duration = .seconds(10)
  /// How many O_PATH descriptors on items are kept at most; also never more than a quarter of what
  /// the process may have.
  package var descriptors = 256
  package init() {}
}
