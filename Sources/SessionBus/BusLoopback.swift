import CGIO

/// Values as the bus would give them back, for tests.
package enum BusLoopback {
  package static func round(_ values: [BusValue]) throws(BusError) -> [BusValue] {
    guard let made = unsafe Variant.tuple(values) else { throw BusError(.other, "not made") }
    unsafe g_variant_ref_sink(made)
    defer { unsafe g_variant_unref(made) }
    guard case .tuple(let read)? = unsafe Variant.read(made) else {
      throw BusError(.other, "not read")
    }
    return read
  }
}
