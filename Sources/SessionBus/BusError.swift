/// Why a message did not get its answer.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// There is no bus to talk to.
    case noBus
    /// Nobody on the bus has the name, and nothing can be started that would.
    case noService
    /// The other side has no such object or method.
    case unknownMethod
    case invalidArgument
    case notAllowed
    case timedOut
    case cancelled
    case other
  }
  package let kind: Kind
  /// The error's name on the bus, where it came from the other side.
  package let name: String?
  /// What was tried, and what was said.
  package let description: String

  package init(_ kind: Kind, name: String? = nil, _ description: String) {
    self.kind = kind
    self.name = name
    self.description = description
  }

  static func kind(of name: String?) -> Kind {
    switch name {
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      "org.freedesktop.DBus.Error.Spawn.ChildExited",
      "org.freedesktop.DBus.Error.Spawn.ExecFailed",
      "org.freedesktop.DBus.Error.Spawn.ServiceNotFound":
      .noService
    case "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownObject",
      "org.freedesktop.DBus.Error.UnknownInterface":
      .unknownMethod
    case "org.freedesktop.portal.Error.InvalidArgument",
      "org.freedesktop.DBus.Error.InvalidArgs":
      .invalidArgument
    case "org.freedesktop.portal.Error.NotAllowed", "org.freedesktop.DBus.Error.AccessDenied":
      .notAllowed
    case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout",
      "org.freedesktop.DBus.Error.TimedOut":
      .timedOut
    default: .other
    }
  }
}
