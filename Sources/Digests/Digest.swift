import CGLib

/// Digests of bytes, computed by GLib.
///
/// - SeeAlso: GChecksum, GHmac
package enum Digest {
  /// MD5 in hexadecimal digits: the cache of thumbnails names its files by it.
  package static func md5Digits(of bytes: [UInt8]) -> [UInt8] {
    let digits = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe g_compute_checksum_for_data(G_CHECKSUM_MD5, bytes.baseAddress, gsize(bytes.count))
    }
    guard let digits = unsafe digits else { return [] }
    defer { unsafe g_free(digits) }
    return unsafe Array(String(cString: digits).utf8)
  }

  /// HMAC-SHA-256: 32 bytes.
  ///
  /// - SeeAlso: RFC 2104
  package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    authenticate(message[...], key: key)
  }

  /// HMAC-SHA-256 of a part of an array, without a copy of it.
  package static func authenticate(_ message: ArraySlice<UInt8>, key: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var length = gsize(digest.count)
    // Nothing at all is no key for GLib; a zero byte is the same one.
    let hmac = unsafe g_hmac_new(
      G_CHECKSUM_SHA256,
      key.isEmpty ? [0] : key,
      gsize(max(key.count, 1))
    )
    unsafe message.withUnsafeBufferPointer { bytes in
      unsafe g_hmac_update(hmac, bytes.baseAddress, bytes.count)
    }
    unsafe g_hmac_get_digest(hmac, &digest, &length)
    unsafe g_hmac_unref(hmac)
    return digest
  }

  /// Whether two digests are equal, in a time that does not tell where they differ.
  package static func areEqual(_ a: [UInt8], _ b: ArraySlice<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
