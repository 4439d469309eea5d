import Foundation
import IconRendering
import LinuxSystem

/// Icons as they were drawn, kept between runs below `$XDG_CACHE_HOME/file-coordination/icons`.
struct IconCache: Sendable {
  /// How long one counts as fresh.
  static let age: TimeInterval = 7 * 24 * 3600
  let directory: FilePath

  init(directory: FilePath) { self.directory = directory }

  /// The user's; nil where there is no home.
  static var standard: IconCache? {
    if let home = Environment.value(of: "XDG_CACHE_HOME"), home.isAbsolute {
      return IconCache(directory: home.appending("file-coordination").appending("icons"))
    }
    let home = Environment.value(of: "HOME").flatMap { $0.isAbsolute ? $0 : nil }
    return (home ?? Environment.home).map {
      IconCache(
        directory: $0.appending(".cache").appending("file-coordination").appending("icons")
      )
    }
  }

  private func file(_ url: URL, _ points: Int, _ scale: Double) -> FilePath {
    let (a, b) = FilePath(url.absoluteString).stableHash
    return directory.appending(
      String(a, radix: 16) + String(b, radix: 16) + "-\(points)@\(scale).png"
    )
  }

  /// A kept icon; nil where there is none, or a stale or damaged one.
  func icon(of url: URL, points: Int, scale: Double, now: Date = Date()) -> DocumentIcon? {
    let file = file(url, points, scale)
    do {
      let opened = try Descriptor.open(file, [.readOnly, .noFollow])
      let status = try FileStatus(of: opened)
      let age = now.timeIntervalSince1970 - Double(status.modified.seconds)
      guard status.kind == .regular, status.size < 1 << 22, age >= -60, age < Self.age else {
        return nil
      }
      let bytes = try opened.readToEnd()
      let side = Int((Double(points) * scale).rounded())
      let image = try PixelImage(decoding: bytes, scaledTo: side, side)
      return DocumentIcon(image, scale: scale, png: bytes)
    } catch { return nil }  // made anew
  }

  /// Keeps an icon; one that cannot be kept is loaded again next time.
  func keep(_ icon: DocumentIcon, of url: URL, points: Int) {
    let file = file(url, points, icon.scale)
    let own = directory.appending(".\(UInt64.random(in: 0...UInt64.max))")
    do throws(SystemError) {
      try FileSystem.makeDirectories(directory)
      try Descriptor.open(own, [.writeOnly, .create, .exclusive]).write(Array(icon.pngData))
      try FileSystem.rename(own, to: file)
    } catch {
      try? FileSystem.removeFile(own)  // a leftover, no more
    }
  }
}
