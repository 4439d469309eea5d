import CLinux
import Glibc

/// A path as the kernel sees it: any bytes but NUL, kept as they came.
///
/// Names that are not UTF-8 survive, which `String` and `URL.path` do not promise.
package struct FilePath: Hashable, Sendable, CustomStringConvertible {
  /// The bytes with one NUL behind them, so that a system call needs no copy.
  private let terminated: [UInt8]

  /// A path of these bytes; what follows a NUL is cut off, as the kernel would.
  package init<Bytes: Sequence>(bytes: Bytes) where Bytes.Element == UInt8 {
    let block = bytes.withContiguousStorageIfAvailable { unsafe FilePath(block: $0) }
    if let block {
      self = block
    } else {
      terminated = bytes.prefix { $0 != 0 } + [0]
    }
  }

  private init(terminated: [UInt8]) { self.terminated = terminated }

  /// A path of these bytes, which lie in one block: paths are made in every access.
  init(block bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else {
      terminated = [0]
      return
    }
    let count = unsafe strnlen(
      UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self),
      bytes.count
    )
    terminated = unsafe [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, filled in
      guard let target = buffer.baseAddress else { return }
      unsafe memcpy(target, start, count)
      unsafe target[count] = 0
      filled = count + 1
    }
  }

  /// All bytes in one go: hashing byte by byte costs more than the lock that follows.
  package func hash(into hasher: inout Hasher) {
    unsafe terminated.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  /// All bytes in one go, as in hashing.
  package static func == (a: FilePath, b: FilePath) -> Bool {
    a.count == b.count && a.begins(with: b)
  }

  /// Whether the first bytes are those of `other`, which is not longer.
  private func begins(with other: FilePath) -> Bool {
    unsafe terminated.withUnsafeBytes { bytes in
      unsafe other.terminated.withUnsafeBytes { others in
        guard let a = bytes.baseAddress, let b = others.baseAddress else { return false }
        return unsafe memcmp(a, b, other.count) == 0
      }
    }
  }

  /// Whether a component may be empty, "." or "..", or hidden, or a slash ends it: that is, whether
  /// there is something to look at before two equal paths have equal bytes.
  package var mayBeSpelledOtherwise: Bool {
    unsafe terminated.withUnsafeBytes { bytes in
      var isAfterSlash = false
      for index in 0..<count {
        let byte = unsafe bytes[index]
        if isAfterSlash, byte == .slash || byte == UInt8(ascii: ".") { return true }
        isAfterSlash = byte == .slash
      }
      return isAfterSlash && count > 1
    }
  }

  /// A path spelled in UTF-8.
  package init(_ string: String) { self.init(bytes: string.utf8) }

  /// The bytes without the NUL.
  package var bytes: ArraySlice<UInt8> { terminated.dropLast() }
  /// How many bytes there are without the NUL.
  package var count: Int { terminated.count - 1 }
  /// Whether the first byte is a slash.
  package var isAbsolute: Bool { terminated[0] == .slash }

  /// For people: bytes that are not UTF-8 are shown as U+FFFD.
  package var description: String { String(decoding: terminated.dropLast(), as: UTF8.self) }

  /// The path as a UTF-8 string, or nil where that would lose bytes.
  package var string: String? { String(validating: terminated.dropLast(), as: UTF8.self) }

  /// Runs `body` with the bytes as a C string, valid inside only.
  @inline(__always)
  func withCString<R, E: Error>(_ body: (UnsafePointer<CChar>) throws(E) -> R) throws(E) -> R {
    var result: Result<R, E>?
    unsafe terminated.withUnsafeBytes { raw in
      guard let base = unsafe raw.bindMemory(to: CChar.self).baseAddress else { return }
      do throws(E) { result = .success(try unsafe body(base)) } catch { result = .failure(error) }
    }
    guard let result else { preconditionFailure("a path always has its NUL") }
    return try result.get()
  }

  /// The last component, or nil for the root and for "".
  package var lastComponent: ArraySlice<UInt8>? {
    let end = endWithoutTrailingSlashes
    guard end > 0 else { return nil }
    let start = terminated[..<end].lastIndex(of: .slash).map { $0 + 1 } ?? 0
    return start < end ? terminated[start..<end] : nil
  }

  /// The directory that holds the last component; nil for the root and for one relative name.
  package var parent: FilePath? {
    let end = endWithoutTrailingSlashes
    guard end > 0, let slash = terminated[..<end].lastIndex(of: .slash) else { return nil }
    if slash == 0 { return end > 1 ? FilePath("/") : nil }
    var cut = slash
    while cut > 1, terminated[cut - 1] == .slash { cut -= 1 }
    return FilePath(bytes: terminated[..<cut])
  }

  /// Every directory above, from the root down; the path itself is not among them.
  package var ancestors: [FilePath] {
    var result: [FilePath] = []
    var current = parent
    while let path = current {
      result.append(path)
      current = path.parent
    }
    return result.reversed()
  }

  /// This path with one more component.
  package func appending(_ component: some Collection<UInt8>) -> FilePath {
    var copy = terminated
    copy.removeLast()
    if copy.last != .slash, !copy.isEmpty { copy.append(.slash) }
    copy.append(contentsOf: component)
    return FilePath(bytes: copy)
  }

  /// This path with one more component; not generic, because watching does little else.
  package func appending(_ component: [UInt8]) -> FilePath {
    let needsSlash = count > 0 && terminated[count - 1] != .slash
    let before = count
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: before + component.count + 2) {
      buffer,
      filled in
      guard let target = buffer.baseAddress else { return }
      unsafe terminated.withUnsafeBytes { source in
        guard let start = source.baseAddress else { return }
        unsafe memcpy(target, start, before)
      }
      var at = before
      if needsSlash {
        unsafe target[at] = .slash
        at += 1
      }
      for byte in component {
        // As the kernel would read it.
        if byte == 0 { break }
        unsafe target[at] = byte
        at += 1
      }
      unsafe target[at] = 0
      filled = at + 1
    }
    return FilePath(terminated: bytes)
  }

  /// This path with one more component.
  package func appending(_ component: String) -> FilePath { appending(Array(component.utf8)) }

  /// Whether `self` lies inside `directory`, at any depth; a path is not inside itself.
  package func isInside(_ directory: FilePath) -> Bool {
    let prefix = directory.count
    guard count > prefix, begins(with: directory) else { return false }
    return directory.terminated[max(prefix - 1, 0)] == .slash || terminated[prefix] == .slash
  }

  /// This path after `old`, which is it or a directory above it, became `new`; else nil.
  package func rebased(from old: FilePath, to new: FilePath) -> FilePath? {
    if self == old { return new }
    guard isInside(old) else { return nil }
    let rest = terminated[old.count..<count].drop { $0 == .slash }
    return new.appending(rest)
  }

  /// Two independent 64-bit hashes of the bytes, the same in every process and version.
  package var stableHash: (UInt64, UInt64) {
    var a: UInt64 = 0xcbf2_9ce4_8422_2325
    var b: UInt64 = 0x9e37_79b9_7f4a_7c15
    for byte in terminated.dropLast() {
      a = (a ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
      b = (b &+ UInt64(byte)) &* 0xff51_afd7_ed55_8ccd
      b ^= b >> 29
    }
    return (a ^ (a >> 32), b ^ (b >> 31))
  }

  private var endWithoutTrailingSlashes: Int {
    var end = count
    while end > 0, terminated[end - 1] == .slash { end -= 1 }
    return end
  }
}

extension UInt8 {
  /// The byte that separates components.
  package static let slash = UInt8(ascii: "/")
}

extension FilePath: Comparable {
  /// Byte order with the slash lowest, so that a directory and all it holds stand together.
  package static func < (a: FilePath, b: FilePath) -> Bool {
    a.terminated.lexicographicallyPrecedes(b.terminated) { x, y in
      let x = x == .slash ? 1 : (x == 0 ? 0 : UInt16(x) + 1)
      let y = y == .slash ? 1 : (y == 0 ? 0 : UInt16(y) + 1)
      return x < y
    }
  }
}
