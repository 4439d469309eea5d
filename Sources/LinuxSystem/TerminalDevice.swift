import Glibc

/// Whether a user sits at the other end of a descriptor.
package enum TerminalDevice {
  /// - SeeAlso: isatty(3)
  package static func isOne(_ number: CInt) -> Bool { isatty(number) == 1 }
}
