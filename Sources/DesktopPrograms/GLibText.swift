import CGIO

/// Strings and errors of GLib, made Swift's.
enum GLibText {
  /// The text of a string that GLib keeps.
  static func borrowed(_ text: UnsafePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    return unsafe String(cString: text)
  }

  /// The text of a string that is ours to free.
  static func owned(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// The sentence of an error, which is freed.
  static func message(_ error: UnsafeMutablePointer<GError>?) -> String {
    guard let error = unsafe error else { return "no reason was given" }
    defer { unsafe g_error_free(error) }
    return unsafe borrowed(error.pointee.message) ?? "no reason was given"
  }

  /// The strings of an array that ends with NULL.
  static func array(_ start: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard var next = unsafe start else { return [] }
    var strings: [String] = []
    while let text = unsafe next.pointee {
      unsafe strings.append(String(cString: text))
      unsafe next += 1
    }
    return strings
  }
}

/// Strings as GLib takes them: an array that ends with NULL.
@safe final class GLibStrings {
  private let owned: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe owned = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() { unsafe owned[index] = g_strdup(string) }
    unsafe owned[count] = nil
  }

  /// Runs `body` with the array, which is valid inside only.
  func with<R>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R) -> R {
    unsafe body(UnsafeRawPointer(owned).assumingMemoryBound(to: UnsafePointer<CChar>?.self))
  }

  deinit {
    for index in 0..<count { unsafe g_free(owned[index]) }
    unsafe owned.deallocate()
  }
}
