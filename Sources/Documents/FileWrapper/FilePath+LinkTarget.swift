import FileCoordination
import Foundation
import LinuxSystem

extension FilePath {
  /// What a symbolic link to a URL says; nil where it is not a file URL.
  init?(linkTarget url: URL) {
    guard url.isFileURL else { return nil }
    if url.baseURL != nil, !url.relativePath.isEmpty {
      self.init(url.relativePath)
    } else {
      self.init(url)
    }
  }

  /// The URL that a symbolic link in a directory leads to.
  func linkTargetURL(in directory: FilePath?) -> URL {
    if isAbsolute { return url() }
    return URL(
      fileURLWithPath: description,
      relativeTo: (directory ?? FilePath(".")).url(isDirectory: true)
    )
  }
}
