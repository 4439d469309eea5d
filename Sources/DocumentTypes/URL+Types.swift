public import Foundation

extension URL {
  /// This URL with one more component, which has the extension of a type.
  ///
  /// Apple symbol: URL.appendingPathComponent(_:conformingTo:).
  public func appendingPathComponent(_ partialName: String, conformingTo type: UTType) -> URL {
    let isDirectory = type.conforms(to: .directory)
    return appendingPathComponent(partialName, isDirectory: isDirectory)
      .appendingPathExtension(for: type)
  }

  /// This URL with the extension of a type, unless it has one of them already.
  ///
  /// Apple symbol: URL.appendingPathExtension(for:).
  public func appendingPathExtension(for type: UTType) -> URL {
    guard let name = type.preferredFilenameExtension else { return self }
    let has = type.tags[.filenameExtension]?.contains(pathExtension.lowercased()) ?? false
    return has ? self : appendingPathExtension(name)
  }
}
