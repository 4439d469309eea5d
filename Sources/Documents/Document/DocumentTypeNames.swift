import FileCoordination
import Foundation
import LinuxSystem
import Synchronization

/// Uniform type identifiers by file name extension, as far as documents need them.
enum DocumentTypeNames {
  static let resolver = Mutex<(@Sendable (URL) -> String?)?>(nil)

  private static let table: [(fileExtension: String, type: String)] = [
    ("txt", "public.plain-text"), ("text", "public.plain-text"),
    ("md", "net.daringfireball.markdown"),
    ("markdown", "net.daringfireball.markdown"), ("rtf", "public.rtf"), ("rtfd", "com.apple.rtfd"),
    ("html", "public.html"), ("htm", "public.html"), ("xml", "public.xml"), ("json", "public.json"),
    ("csv", "public.comma-separated-values-text"), ("pdf", "com.adobe.pdf"), ("png", "public.png"),
    ("jpg", "public.jpeg"), ("jpeg", "public.jpeg"), ("gif", "com.compuserve.gif"),
    ("svg", "public.svg-image"), ("zip", "public.zip-archive"),
    ("textbundle", "org.textbundle.package"),
    ("plist", "com.apple.property-list"), ("swift", "public.swift-source"),
  ]

  static func type(forExtension name: String) -> String? {
    let name = name.lowercased()
    return table.first { $0.fileExtension == name }?.type
  }

  static func fileExtension(of type: String) -> String? {
    if let known = table.first(where: { $0.type == type }) { return known.fileExtension }
    return type.hasPrefix(dynamic) ? String(type.dropFirst(dynamic.count)) : nil
  }

  private static let dynamic = "dyn.extension."

  /// One for every item: made up from the extension where nothing better is known.
  static func type(of url: URL) -> String {
    let name = url.pathExtension
    if let known = type(forExtension: name) { return known }
    if !name.isEmpty { return dynamic + name.lowercased() }
    // An item that is missing is taken for a file.
    let kind = FilePath(url).flatMap { try? FileStatus(of: $0).kind }
    return kind == .directory ? "public.folder" : "public.data"
  }
}
