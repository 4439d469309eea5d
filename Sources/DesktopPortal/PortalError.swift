package import SessionBus

/// Why a portal could not do what it was asked for.
package enum PortalError: Error, Sendable, CustomStringConvertible {
  /// Nobody offers this portal on the bus.
  case missing(String)
  /// The portal's process ended before it answered.
  case gone(String)
  /// It was reached, and did not do it.
  case refused(String)
  /// What it answered makes no sense.
  case nonsense(String)
  case bus(BusError)

  init(_ error: BusError, of portal: String) {
    switch error.kind {
    case .noService, .noBus: self = .missing("there is no \(portal) (\(error))")
    default: self = .bus(error)
    }
  }

  package var description: String {
    switch self {
    case .missing(let text), .gone(let text), .refused(let text), .nonsense(let text): text
    case .bus(let error): error.description
    }
  }
}
