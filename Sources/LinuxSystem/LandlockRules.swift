import CLinux
import Glibc

/// A set of rules about files that a program is started under and can never leave.
///
/// What no rule allows is withheld. Rules belong to directories, or files, not to paths: who replaces
/// a file by another takes it out of the rule that was made for it.
/// - SeeAlso: landlock(7)
package final class LandlockRules: Sendable {
  /// What may be done with files; the numbers are the kernel's.
  package struct Rights: OptionSet, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static let execute = Rights(rawValue: 1 << 0)
    package static let writeFile = Rights(rawValue: 1 << 1)
    package static let readFile = Rights(rawValue: 1 << 2)
    package static let readDirectory = Rights(rawValue: 1 << 3)
    package static let truncate = Rights(rawValue: 1 << 14)
    package static let deviceControl = Rights(rawValue: 1 << 15)

    package static let reading: Rights = [.readFile, .readDirectory]
    package static let running: Rights = [.reading, .execute]
    /// All but running programs and making devices.
    package static let changing: Rights = [
      .reading, .writeFile, .truncate,
      // remove directory and file; make directory, file, socket, pipe, link; move between directories
      Rights(rawValue: 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 12 | 1 << 13),
    ]
    /// Those of a thing that is no directory.
    static let ofFiles: Rights = [.execute, .writeFile, .readFile, .truncate, .deviceControl]
  }

  private let ruleset: Descriptor
  private let known: Rights
  var number: CInt { ruleset.number }

  /// The version that this kernel speaks; 1 came with Linux 5.13.
  ///
  /// - Throws: ENOSYS for a kernel that has none, EOPNOTSUPP where it was switched off at boot.
  package static func version() throws(SystemError) -> Int {
    Int(try systemCall("landlock_create_ruleset") { cl_landlock_version() })
  }

  /// Rules that allow nothing yet.
  ///
  /// - Throws: as ``version()``.
  /// - SeeAlso: landlock_create_ruleset(2)
  package init() throws(SystemError) {
    let version = try Self.version()
    // What an older kernel does not know it does not withhold either.
    let bits = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13
    known = Rights(rawValue: 1 << UInt64(bits) - 1)
    let rights = known.rawValue
    // Abstract sockets and signals of programs outside, which Linux 6.12 can withhold.
    let scopes: UInt64 = version >= 6 ? 3 : 0
    ruleset = Descriptor(
      owning: try systemCall("landlock_create_ruleset") { cl_landlock_create(rights, scopes) }
    )
  }

  /// Gives rights to a directory and all below it, or to a file.
  ///
  /// - Throws: what open(2) says of the path, as ENOENT.
  /// - SeeAlso: landlock_add_rule(2)
  package func allow(_ rights: Rights, below path: FilePath) throws(SystemError) {
    let place = try Descriptor.open(path, .pathOnly)
    var rights = rights.intersection(known)
    if try FileStatus(of: place).kind != .directory { rights.formIntersection(.ofFiles) }
    let (number, at, bits) = (ruleset.number, place.number, rights.rawValue)
    _ = try systemCall("landlock_add_rule", on: path) { cl_landlock_allow(number, at, bits) }
  }
}
