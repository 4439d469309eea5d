import CLinux
import Glibc

/// A file mapped shared, whose words several processes read and change atomically.
// @unchecked because the pointer never changes after init and every access through it is atomic or
// a bounds-checked byte copy; the mapping ends only in deinit.
@safe package final class MappedFile: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  /// Length of the mapping, in bytes.
  package let length: Int

  /// Maps the first `length` bytes of an open file, which is at least that long.
  ///
  /// The descriptor may be closed afterwards.
  /// - SeeAlso: mmap(2) MAP_SHARED
  package init(_ descriptor: borrowing Descriptor, length: Int, writable: Bool = true)
    throws(SystemError)
  {
    let protection = writable ? PROT_READ | PROT_WRITE : PROT_READ
    let address = unsafe mmap(nil, length, protection, MAP_SHARED, descriptor.number, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw SystemError("mmap", cl_errno())
    }
    unsafe base = address
    self.length = length
  }

  deinit { unsafe munmap(base, length) }

  private func word(_ offset: Int, _ size: Int) -> UnsafeMutableRawPointer {
    precondition(
      offset >= 0 && offset & (size - 1) == 0 && offset + size <= length,
      "a word lies inside the mapping and is aligned"
    )
    return unsafe base + offset
  }

  package func load32(_ offset: Int) -> UInt32 { unsafe cl_load32(word(offset, 4)) }
  package func store32(_ value: UInt32, at offset: Int) {
    unsafe cl_store32(word(offset, 4), value)
  }
  /// Adds and returns what stood there before.
  @discardableResult package func add32(_ value: UInt32, at offset: Int) -> UInt32 {
    unsafe cl_add32(word(offset, 4), value)
  }
  package func exchange32(_ expected: UInt32, for desired: UInt32, at offset: Int) -> Bool {
    unsafe cl_cas32(word(offset, 4), expected, desired)
  }
  package func load64(_ offset: Int) -> UInt64 { unsafe cl_load64(word(offset, 8)) }
  package func store64(_ value: UInt64, at offset: Int) {
    unsafe cl_store64(word(offset, 8), value)
  }
  /// Adds and returns what stood there before.
  @discardableResult package func add64(_ value: UInt64, at offset: Int) -> UInt64 {
    unsafe cl_add64(word(offset, 8), value)
  }
  package func exchange64(_ expected: UInt64, for desired: UInt64, at offset: Int) -> Bool {
    unsafe cl_cas64(word(offset, 8), expected, desired)
  }

  /// Copies bytes in; readers in other processes may see them half written, so guard them with a
  /// word that is stored last.
  package func write(_ bytes: [UInt8], at offset: Int) {
    precondition(offset >= 0 && offset + bytes.count <= length, "bytes lie inside the mapping")
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe (base + offset).copyMemory(from: start, byteCount: bytes.count)
    }
  }

  /// Copies `count` bytes out.
  package func read(_ count: Int, at offset: Int) -> [UInt8] {
    precondition(offset >= 0 && count >= 0 && offset + count <= length, "bytes lie inside")
    return unsafe Array(UnsafeRawBufferPointer(start: base + offset, count: count))
  }

  /// Copies the bytes of a path in, all that fit into `limit`; says how many.
  package func write(_ path: FilePath, at offset: Int, limit: Int) -> Int {
    let count = min(path.count, limit)
    precondition(offset >= 0 && offset + count <= length, "bytes lie inside the mapping")
    unsafe path.withCString { unsafe (base + offset).copyMemory(from: $0, byteCount: count) }
    return count
  }

  /// Copies the UTF-8 of a text in, all that fits into `limit`; says how many bytes.
  package func write(_ text: String, at offset: Int, limit: Int) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      let count = min(bytes.count, limit)
      precondition(offset >= 0 && offset + count <= length, "bytes lie inside the mapping")
      if count > 0, let start = bytes.baseAddress {
        unsafe (base + offset).copyMemory(from: start, byteCount: count)
      }
      return count
    }
  }
}
