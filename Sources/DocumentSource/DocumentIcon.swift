public import Foundation
import IconRendering

/// An application's icon: clipped to a rounded rectangle, on a transparent ground.
public struct DocumentIcon: Sendable, Equatable {
  /// In pixels.
  public let width: Int
  /// In pixels.
  public let height: Int
  /// Pixels for a point.
  public let scale: Double
  /// A PNG file.
  public let pngData: Data
  /// Red, green, blue and alpha of each pixel, not premultiplied, row after row.
  public let pixels: [UInt8]

  init(_ image: PixelImage, scale: Double, png: [UInt8]) {
    width = image.width
    height = image.height
    self.scale = scale
    pngData = Data(png)
    pixels = image.pixels
  }
}
