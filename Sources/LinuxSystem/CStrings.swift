import Glibc

/// Strings as C wants them: an array of pointers that ends with NULL.
@safe final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() { unsafe pointers[index] = strdup(string) }
    unsafe pointers[count] = nil
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
