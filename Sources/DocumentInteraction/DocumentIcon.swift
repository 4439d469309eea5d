public import Foundation

/// An icon in one size: where its picture is, not the picture itself.
///
/// Stands for Apple's UIImage.
public struct DocumentIcon: Hashable, Sendable {
  /// Its name in the icon theme, for example `text-plain`.
  public let name: String
  /// Its width and height in pixels.
  public let size: Int
  /// The file with the picture (PNG, SVG or XPM), or nil: no theme that is installed has one.
  public let file: URL?

  /// An icon.
  public init(name: String, size: Int, file: URL?) {
    self.name = name
    self.size = size
    self.file = file
  }
}
