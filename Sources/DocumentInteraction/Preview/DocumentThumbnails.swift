import DesktopFiles
import DesktopPrograms
import FileCoordination
public import Foundation
import LinuxSystem

/// Thumbnails in the cache that all desktops share.
///
/// - SeeAlso: https://specifications.freedesktop.org/thumbnail-spec
public struct DocumentThumbnails: Sendable {
  /// How big a thumbnail is at most, in pixels.
  public enum Size: Int, Sendable, CaseIterable {
    /// 128.
    case normal = 128
    /// 256.
    case large = 256
    /// 512.
    case xLarge = 512
    /// 1024.
    case xxLarge = 1024

    var cached: ThumbnailCache.Size { ThumbnailCache.Size(rawValue: rawValue) ?? .normal }
  }

  private let cache: ThumbnailCache

  /// The cache of this process's user.
  ///
  /// - Throws: where neither the environment nor the user database says where that is.
  public init() throws {
    cache = ThumbnailCache(cacheHome: try DesktopDirectories.current().cacheHome)
  }

  /// The thumbnail of a file as it is now, or nil: the cache has none, or one of an earlier state.
  ///
  /// Looks at the file and the head of the thumbnail.
  /// - Throws: what the system says of the file.
  public func lookUp(_ url: URL, size: Size = .normal) throws -> URL? {
    guard let path = FilePath(url) else { return nil }
    return try cache.lookUp(path, size.cached)?.url()
  }

  /// The thumbnail of a file, made if the cache has none; nil: none can be made, which is noted there.
  ///
  /// Suspends while a process of its own decodes the picture.
  /// - Throws: what the system says of the file, or where the cache cannot be written.
  public func thumbnail(of url: URL, size: Size = .normal) async throws -> URL? {
    try await OwnThread.run { try makeIfMissing(url, size) }
  }

  /// The same; blocks the calling thread.
  package func makeIfMissing(_ url: URL, _ size: Size) throws -> URL? {
    guard let path = FilePath(url) else { return nil }
    if let found = try cache.lookUp(path, size.cached) { return found.url() }
    // Before it is read: what is written meanwhile makes the thumbnail one of an earlier state.
    let status = try FileStatus(of: path, followingLink: true)
    guard status.kind == .regular, !cache.hasFailed(path, status) else { return nil }
    let type = try DesktopPrograms.type(of: path)
    guard PictureDecoder.shared.knows(type) else { return nil }
    if let picture = PictureDecoder.shared.png(path, type, size: size.rawValue),
      let made = try cache.store(picture, of: path, status, mimeType: type, size.cached)
    {
      return made.url()
    }
    // What vanished meanwhile did not fail.
    guard let now = try? FileStatus(of: path, followingLink: true), now.inode == status.inode else {
      return nil
    }
    try cache.recordFailure(of: path, status)
    return nil
  }
}
