import CGdkPixbuf

/// An image as bytes: red, green, blue and alpha of each pixel, not premultiplied, row after row.
package struct PixelImage: Sendable, Equatable {
  package let width: Int
  package let height: Int
  package var pixels: [UInt8]

  package init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == width * height * 4, "four bytes a pixel")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  package subscript(_ x: Int, _ y: Int) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
    let at = (y * width + x) * 4
    return (pixels[at], pixels[at + 1], pixels[at + 2], pixels[at + 3])
  }

  /// Why bytes gave no image.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// No side of an image may be longer; more pixels are not decoded.
  package static let longestSide = 4096

  // MARK: Files

  /// Decodes PNG, JPEG or GIF and scales to a size.
  ///
  /// - Throws: ``Failure`` for other formats, damaged files and images larger than ``longestSide``.
  package init(decoding bytes: [UInt8], scaledTo width: Int, _ height: Int) throws(Failure) {
    guard Self.isKnown(bytes) else {
      throw Failure(description: "it is neither PNG nor JPEG nor GIF")
    }
    let loaded = try unsafe Self.load(bytes)
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(loaded)) }
    guard
      let scaled = unsafe gdk_pixbuf_scale_simple(
        loaded,
        CInt(width),
        CInt(height),
        GDK_INTERP_BILINEAR
      )
    else { throw Failure(description: "there is no memory for it") }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(scaled)) }
    guard let whole = unsafe gdk_pixbuf_add_alpha(scaled, 0, 0, 0, 0) else {
      throw Failure(description: "there is no memory for it")
    }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(whole)) }
    guard let start = unsafe gdk_pixbuf_read_pixels(whole) else {
      throw Failure(description: "it has no pixels")
    }
    let stride = Int(unsafe gdk_pixbuf_get_rowstride(whole))
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for row in 0..<height {
      unsafe pixels += UnsafeBufferPointer(start: start + row * stride, count: width * 4)
    }
    self.init(width: width, height: height, pixels: pixels)
  }

  private static func isKnown(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
      || bytes.starts(with: [0xff, 0xd8, 0xff]) || bytes.starts(with: Array("GIF8".utf8))
  }

  private static func load(_ bytes: [UInt8]) throws(Failure) -> OpaquePointer {
    guard let loader = unsafe gdk_pixbuf_loader_new() else {
      throw Failure(description: "there is no memory for it")
    }
    defer { unsafe g_object_unref(loader) }
    // Asked before anything is allocated for the pixels.
    let limit:
      @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>?, CInt, CInt, gpointer?) -> Void =
        { loader, width, height, _ in
          if width > PixelImage.longestSide || height > PixelImage.longestSide {
            unsafe gdk_pixbuf_loader_set_size(loader, 0, 0)
          }
        }
    unsafe g_signal_connect_data(
      loader,
      "size-prepared",
      unsafeBitCast(limit, to: GCallback.self),
      nil,
      nil,
      GConnectFlags(rawValue: 0)
    )
    var failure: UnsafeMutablePointer<GError>?
    let isWritten = unsafe bytes.withUnsafeBufferPointer {
      unsafe gdk_pixbuf_loader_write(loader, $0.baseAddress, gsize($0.count), &failure) != 0
    }
    let first = unsafe take(&failure)
    // Closed in any case: a loader that is dropped open complains on standard error.
    let isClosed = unsafe gdk_pixbuf_loader_close(loader, &failure) != 0
    let second = unsafe take(&failure)
    guard isWritten, isClosed, let image = unsafe gdk_pixbuf_loader_get_pixbuf(loader) else {
      throw Failure(
        description: first ?? second ?? "it is longer than \(longestSide) pixels, or cut off"
      )
    }
    unsafe g_object_ref(UnsafeMutableRawPointer(image))
    return unsafe image
  }

  private static func take(_ failure: inout UnsafeMutablePointer<GError>?) -> String? {
    guard let error = unsafe failure else { return nil }
    defer {
      unsafe g_error_free(error)
      unsafe failure = nil
    }
    return unsafe String(cString: error.pointee.message)
  }

  /// The image as a PNG file.
  package func png() throws(Failure) -> [UInt8] {
    let data = unsafe pixels.withUnsafeBytes { unsafe g_bytes_new($0.baseAddress, gsize($0.count)) }
    defer { unsafe g_bytes_unref(data) }
    guard
      let image = unsafe gdk_pixbuf_new_from_bytes(
        data,
        GDK_COLORSPACE_RGB,
        1,
        8,
        CInt(width),
        CInt(height),
        CInt(width * 4)
      )
    else { throw Failure(description: "there is no memory for it") }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(image)) }
    var buffer: UnsafeMutablePointer<gchar>?
    var count = gsize(0)
    var failure: UnsafeMutablePointer<GError>?
    let isDone = unsafe gdk_pixbuf_save_to_bufferv(
      image,
      &buffer,
      &count,
      "png",
      nil,
      nil,
      &failure
    )
    guard isDone != 0, let start = unsafe buffer else {
      throw Failure(description: unsafe Self.take(&failure) ?? "it could not be encoded")
    }
    defer { unsafe g_free(start) }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }
}
