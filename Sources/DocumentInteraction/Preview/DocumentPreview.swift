import DesktopFiles
import DesktopPrograms
import FileCoordination
public import Foundation
import LinuxSystem

/// What can be shown of a file without a program that knows its kind.
public struct DocumentPreview: Sendable {
  /// What there is to see.
  public enum Content: Sendable {
    /// The text, and in which encoding it is; of a long one the beginning.
    case text(String, encoding: String, isWhole: Bool)
    /// The picture, not bigger than it is to be shown.
    case picture(DocumentPicture)
    /// Nothing but the facts.
    case none
  }

  /// Something that is known of the file.
  public struct Fact: Hashable, Sendable, Codable {
    /// What it is about, for example `Size`.
    public let name: String
    /// What is so.
    public let value: String
  }

  /// The file.
  public let url: URL
  /// Its name.
  public let title: String
  /// Its MIME type.
  public let mimeType: String
  /// The names of its icon in the icon theme, the best first.
  public let iconNames: [String]
  /// What there is to see.
  public let content: Content
  /// What is known of it.
  public let facts: [Fact]
  /// Why a file whose kind can be shown cannot; nil: it is shown, or nothing can show its kind.
  public internal(set) var failure: String?

  /// Looks at an item of any kind under a coordinated read.
  ///
  /// Suspends until nobody writes it and it was looked at; a picture is decoded in a process of its own,
  /// for fifteen seconds at most, and is not bigger than `width` and `height` (4096 at most). Never fails
  /// for what is in the file: see ``failure``. When the task is cancelled while somebody else writes, it
  /// ends at once.
  /// - Throws: `CoordinationError` where access is not granted; what the system says
  ///   where the item cannot be looked at; `CancellationError`.
  public static func load(
    _ url: URL,
    width: Int = 512,
    height: Int = 512
  ) async throws -> DocumentPreview {
    let (width, height) = (min(max(1, width), 4096), min(max(1, height), 4096))
    return try await NSFileCoordinator().coordinate(
      readingItemAt: url,
      options: .resolvesSymbolicLink
    ) { found in
      try await OwnThread.run { try make(of: found, width: width, height: height) }.shown(as: url)
    }
  }

  /// The same under the URL, and with the name, by which it was asked for.
  private func shown(as url: URL) -> DocumentPreview {
    DocumentPreview(
      url: url,
      title: url.lastPathComponent,
      mimeType: mimeType,
      iconNames: iconNames,
      content: content,
      facts: facts,
      failure: failure
    )
  }

  /// Whether there is more to be shown than facts: directories, and types that nothing can show, have none.
  package static func canPreview(_ url: URL, _ mimeType: String) -> Bool {
    guard !mimeType.hasPrefix("inode/") else { return false }
    return isText(mimeType) || PictureDecoder.shared.knows(mimeType)
  }

  private static func isText(_ mimeType: String) -> Bool {
    mimeType.hasPrefix("text/") || DesktopPrograms.isA(mimeType, "text/plain")
  }

  /// Looks at a file; blocks the calling thread, for fifteen seconds at most where a picture is decoded.
  ///
  /// Never fails for what is in the file: what cannot be shown has facts only. Nothing of a picture is
  /// decoded in this process.
  /// - Throws: where the file itself cannot be looked at.
  package static func make(
    of url: URL,
    _ mimeType: String? = nil,
    width: Int = 512,
    height: Int = 512
  ) throws -> DocumentPreview {
    guard let path = FilePath(url) else {
      throw DocumentInteractionError(.notPreviewed, url, "\(url) is not the URL of a file")
    }
    let status = try FileStatus(of: path, followingLink: true)
    let type = try mimeType ?? DesktopPrograms.type(of: path)
    var content = Content.none
    var failure: String?
    if status.kind == .regular {
      if let picture = PictureDecoder.shared.decode(path, type, width: width, height: height) {
        content = .picture(picture)
      } else if isText(type) || status.size == 0 || type == "application/octet-stream" {
        if let text = try TextPreview(path) {
          content = .text(text.text, encoding: text.encoding, isWhole: text.isWhole)
        } else if isText(type) {
          failure = "It cannot be shown: by its name it is a text, by its contents it is none."
        }
      } else if PictureDecoder.shared.knows(type) {
        failure = "It cannot be shown: it is damaged, or too big."
      }
    }
    return DocumentPreview(
      url: url,
      title: url.lastPathComponent,
      mimeType: type,
      iconNames: DesktopPrograms.iconNames(for: type),
      content: content,
      facts: try facts(path, status, type, content),
      failure: failure
    )
  }

  private static func facts(
    _ path: FilePath,
    _ status: FileStatus,
    _ type: String,
    _ content: Content
  ) throws -> [Fact] {
    var facts = [Fact(name: "Kind", value: "\(DesktopPrograms.describe(type)) (\(type))")]
    if status.kind == .directory {
      let count = try FileSystem.list(path).count
      facts.append(Fact(name: "Contents", value: count == 1 ? "1 item" : "\(count) items"))
    } else {
      facts.append(Fact(name: "Size", value: ByteCount.text(status.size)))
    }
    switch content {
    case .picture(let picture):
      if let size = picture.original {
        facts.append(Fact(name: "Picture", value: "\(size.width) × \(size.height)"))
      }
    case .text(_, let encoding, _): facts.append(Fact(name: "Encoding", value: encoding))
    case .none: break
    }
    let date = Date(timeIntervalSince1970: TimeInterval(status.modified.seconds))
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
      .year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
    facts.append(Fact(name: "Changed", value: date.formatted(style)))
    let bits = String(status.permissions & 0o7777, radix: 8)
    facts.append(Fact(name: "Permissions", value: bits))
    return facts
  }
}

/// Sizes as people read them.
package enum ByteCount {
  /// `17 bytes`, `4.2 MB`: with powers of a thousand.
  package static func text(_ bytes: Int64) -> String {
    if bytes < 1000 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var value = Double(bytes)
    for unit in ["kB", "MB", "GB", "TB", "PB"] {
      value /= 1000
      if value < 999.95 { return String(format: "%.1f ", value) + unit }
    }
    return String(format: "%.1f EB", value / 1000)
  }
}
