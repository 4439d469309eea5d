public import Foundation
import IconRendering
import LinuxSystem
public import SourceAttribute

/// Loads, draws and keeps icons of applications; servers are not trusted.
public actor IconLoader {
  /// With the user's cache and usual limits.
  public static let shared = IconLoader()

  /// How many bytes a JSON file may have.
  public static let longestList = 1 << 18
  /// How many bytes an image may have.
  public static let longestImage = 1 << 22

  private let cache: IconCache?
  private let timeLimit: TimeInterval
  private let rule: AppInfo.Rule
  /// What is being loaded: who asks for the same meanwhile waits for it.
  private var underWay: [String: Task<DocumentIcon?, any Error>] = [:]

  /// A loader of its own; ``shared`` will do for most.
  ///
  /// - Parameters:
  ///   - cacheDirectory: nil: the user's own.
  ///   - timeLimit: For each of the two resources, in seconds.
  ///   - rule: How the icon is chosen.
  public init(
    cacheDirectory: URL? = nil,
    timeLimit: TimeInterval = 20,
    rule: AppInfo.Rule = .corrected
  ) {
    cache =
      cacheDirectory.flatMap { FilePath(ofFileURL: $0.absoluteString) }
      .map(IconCache.init(directory:)) ?? IconCache.standard
    self.timeLimit = timeLimit
    self.rule = rule
  }

  /// The icon that a JSON file names for a size; nil where there is no URL, or no icon large enough.
  ///
  /// Suspends for as long as the server takes, at most the time limit twice.
  /// - Throws: ``IconError``
  public func icon(describedAt url: URL?, points: Int = 29, scale: Double = 1) async throws
    -> DocumentIcon?
  {
    guard let url, points > 0, points <= 1024, scale > 0, scale <= 8 else { return nil }
    if let kept = cache?.icon(of: url, points: points, scale: scale) { return kept }
    let key = "\(points)@\(scale) \(url.absoluteString)"
    if let task = underWay[key] { return try await task.value }
    let (cache, timeLimit, rule) = (cache, timeLimit, rule)
    let task = Task {
      let icon = try await Self.load(url, points, scale, timeLimit, rule)
      if let icon { cache?.keep(icon, of: url, points: points) }
      return icon
    }
    underWay[key] = task
    defer { underWay[key] = nil }
    return try await task.value
  }

  private static func load(
    _ url: URL,
    _ points: Int,
    _ scale: Double,
    _ timeLimit: TimeInterval,
    _ rule: AppInfo.Rule
  ) async throws -> DocumentIcon? {
    let list = try await Download.data(from: url, limit: longestList, within: timeLimit)
    let info: AppInfo
    do { info = try AppInfo(json: list) } catch {
      throw IconError.nonsense(url, "it is no JSON file of icons")
    }
    guard let chosen = info.icon(points: points, scale: scale, rule: rule) else { return nil }
    guard let source = URL(string: chosen.src, relativeTo: url)?.absoluteURL else {
      throw IconError.nonsense(url, "“\(chosen.src)” is no URL")
    }
    if url.scheme == "https", source.scheme != "https" { throw IconError.notAllowed(source) }
    let bytes = try await Download.data(from: source, limit: longestImage, within: timeLimit)
    let side = Int((Double(points) * scale).rounded())
    do {
      let image = try PixelImage(decoding: Array(bytes), scaledTo: side, side)
        .rounded(scale: scale)
      return DocumentIcon(image, scale: scale, png: try image.png())
    } catch { throw IconError.nonsense(source, "\(error)") }
  }
}
