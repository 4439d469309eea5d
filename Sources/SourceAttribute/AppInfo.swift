public import Foundation

/// The JSON file about an application's icons.
public struct AppInfo: Sendable, Equatable {
  /// An icon: its size in pixels, and where it is, relative to the JSON file.
  public struct Icon: Sendable, Equatable {
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// The image's URL, relative to the JSON file's.
    public var src: String
    /// An icon.
    public init(width: Int, height: Int, src: String) {
      self.width = width
      self.height = height
      self.src = src
    }
  }
  /// How the icon for a size is chosen.
  public enum Rule: Sendable {
    /// As published in 2016: of icons that are not square the order decides, and wrongly.
    ///
    /// It compares an icon's height with the *width* of the best so far.
    case published
    /// The smallest that is larger, whatever the order.
    case corrected
  }

  /// At most so many icons are looked at.
  static let limit = 1000
  /// In the order of the file.
  public var icons: [Icon]

  /// A list of icons.
  public init(icons: [Icon]) { self.icons = icons }

  /// What a JSON file says; entries that make no sense are left out.
  ///
  /// - Throws: what JSONSerialization throws, and `CocoaError` 259 where there is no list of icons.
  public init(json: Data) throws {
    // Foundation's parser limits the depth itself.
    let object = try JSONSerialization.jsonObject(with: json)
    guard let list = (object as? [String: Any])?["icons"] as? [Any] else {
      throw CocoaError(
        .fileReadCorruptFile,
        userInfo: [NSLocalizedDescriptionKey: "the JSON file has no list “icons”"]
      )
    }
    icons = list.prefix(Self.limit).compactMap { entry in
      guard let entry = entry as? [String: Any], let src = entry["src"] as? String, !src.isEmpty,
        let width = Self.size(entry["width"]), let height = Self.size(entry["height"])
      else { return nil }
      return Icon(width: width, height: height, src: src)
    }
  }

  private static func size(_ value: Any?) -> Int? {
    // A text, a truth value or a fraction is no size.
    guard let number = value as? NSNumber, !(value is Bool),
      let size = Int(exactly: number.doubleValue),
      (1...65536).contains(size)
    else { return nil }
    return size
  }

  /// The icon for a square of so many points: one of exactly its pixels, else a larger one; nil where
  /// all are smaller.
  public func icon(points: Int = 29, scale: Double, rule: Rule = .corrected) -> Icon? {
    let wanted = Double(points) * scale
    if let exact = icons.first(where: { Double($0.width) == wanted && Double($0.height) == wanted })
    {
      return exact
    }
    let larger = icons.filter { Double($0.width) > wanted && Double($0.height) > wanted }
    switch rule {
    case .published:
      var best: Icon?
      for icon in larger {
        let width = best?.width ?? .max
        if icon.width < width, icon.height < width { best = icon }
      }
      return best
    case .corrected:
      var best: Icon?
      for icon in larger {
        guard let known = best else {
          best = icon
          continue
        }
        let (area, other) = (icon.width * icon.height, known.width * known.height)
        if area < other || area == other && icon.width < known.width { best = icon }
      }
      return best
    }
  }
}
