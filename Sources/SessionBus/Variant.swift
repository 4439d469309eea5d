import CGIO

/// Values to and from GVariant.
enum Variant {
  /// A floating reference, for the call that takes it.
  static func make(_ value: BusValue) -> OpaquePointer? {
    switch value {
    case .bool(let value): unsafe g_variant_new_boolean(value ? 1 : 0)
    case .byte(let value): unsafe g_variant_new_byte(value)
    case .int32(let value): unsafe g_variant_new_int32(value)
    case .uint32(let value): unsafe g_variant_new_uint32(value)
    case .int64(let value): unsafe g_variant_new_int64(gint64(value))
    case .uint64(let value): unsafe g_variant_new_uint64(guint64(value))
    case .double(let value): unsafe g_variant_new_double(value)
    case .string(let text): unsafe g_variant_new_string(withoutNUL(text))
    // What is no path would end the process inside of GLib.
    case .path(let text):
      unsafe g_variant_new_object_path(g_variant_is_object_path(text) != 0 ? text : "/")
    case .handle(let value): unsafe g_variant_new_handle(value)
    case .bytes(let bytes): unsafe byteArray(bytes)
    case .array(let type, let elements): unsafe array(of: type, elements.map(make))
    case .tuple(let elements): unsafe tuple(elements)
    case .options(let options): unsafe optionArray(options)
    case .variant(let value): unsafe g_variant_new_variant(make(value))
    case .entry(let key, let value):
      unsafe g_variant_new_dict_entry(make(key), make(value))
    }
  }

  static func tuple(_ elements: [BusValue]) -> OpaquePointer? {
    let children = unsafe elements.map(make)
    return unsafe children.withUnsafeBufferPointer {
      unsafe g_variant_new_tuple($0.baseAddress, gsize($0.count))
    }
  }

  private static func optionArray(_ options: [String: BusValue]) -> OpaquePointer? {
    var entries: [OpaquePointer?] = unsafe []
    for (key, value) in options.sorted(by: { $0.key < $1.key }) {
      unsafe entries.append(make(.entry(.string(key), .variant(value))))
    }
    return unsafe array(of: "{sv}", entries)
  }

  private static func byteArray(_ bytes: [UInt8]) -> OpaquePointer? {
    let element = unsafe g_variant_type_new("y")
    defer { unsafe g_variant_type_free(element) }
    return unsafe bytes.withUnsafeBytes {
      unsafe g_variant_new_fixed_array(element, $0.baseAddress, gsize($0.count), 1)
    }
  }

  private static func array(of type: String, _ children: [OpaquePointer?]) -> OpaquePointer? {
    let element = unsafe g_variant_type_new(type)
    defer { unsafe g_variant_type_free(element) }
    return unsafe children.withUnsafeBufferPointer {
      unsafe g_variant_new_array(element, $0.baseAddress, gsize($0.count))
    }
  }

  private static func withoutNUL(_ text: String) -> String {
    text.utf8.contains(0) ? String(text.prefix { $0 != "\0" }) : text
  }

  /// What a variant says; nil for a type that messages of ours do not have.
  static func read(_ variant: OpaquePointer) -> BusValue? {
    switch UInt8(bitPattern: unsafe g_variant_get_type_string(variant)[0]) {
    case UInt8(ascii: "b"): return .bool(unsafe g_variant_get_boolean(variant) != 0)
    case UInt8(ascii: "y"): return .byte(unsafe g_variant_get_byte(variant))
    case UInt8(ascii: "i"): return .int32(unsafe g_variant_get_int32(variant))
    case UInt8(ascii: "u"): return .uint32(unsafe g_variant_get_uint32(variant))
    case UInt8(ascii: "x"): return .int64(Int64(unsafe g_variant_get_int64(variant)))
    case UInt8(ascii: "t"): return .uint64(UInt64(unsafe g_variant_get_uint64(variant)))
    case UInt8(ascii: "d"): return .double(unsafe g_variant_get_double(variant))
    case UInt8(ascii: "h"): return .handle(unsafe g_variant_get_handle(variant))
    case UInt8(ascii: "s"): return unsafe .string(text(of: variant))
    case UInt8(ascii: "o"): return unsafe .path(text(of: variant))
    case UInt8(ascii: "g"): return unsafe .string(text(of: variant))
    case UInt8(ascii: "v"):
      return unsafe children(of: variant)?.first.map(BusValue.variant)
    case UInt8(ascii: "("): return unsafe children(of: variant).map(BusValue.tuple)
    case UInt8(ascii: "{"):
      guard let pair = unsafe children(of: variant), pair.count == 2 else { return nil }
      return .entry(pair[0], pair[1])
    case UInt8(ascii: "a"): return unsafe readArray(variant)
    default: return nil
    }
  }

  private static func readArray(_ variant: OpaquePointer) -> BusValue? {
    let type = unsafe String(cString: g_variant_get_type_string(variant))
    if type == "ay" {
      var count = gsize(0)
      guard let start = unsafe g_variant_get_fixed_array(variant, &count, 1) else {
        return .bytes([])
      }
      return unsafe .bytes(Array(UnsafeRawBufferPointer(start: start, count: Int(count))))
    }
    guard let elements = unsafe children(of: variant) else { return nil }
    if type == "a{sv}" {
      var options: [String: BusValue] = [:]
      for case .entry(.string(let key), .variant(let value)) in elements { options[key] = value }
      return .options(options)
    }
    return .array(type: String(type.dropFirst()), elements)
  }

  private static func children(of variant: OpaquePointer) -> [BusValue]? {
    var all: [BusValue] = []
    for index in 0..<(unsafe g_variant_n_children(variant)) {
      guard let child = unsafe g_variant_get_child_value(variant, index) else { return nil }
      defer { unsafe g_variant_unref(child) }
      guard let value = unsafe read(child) else { return nil }
      all.append(value)
    }
    return all
  }

  private static func text(of variant: OpaquePointer) -> String {
    var length = gsize(0)
    return unsafe String(cString: g_variant_get_string(variant, &length))
  }
}
