public import Foundation
import LinuxSystem
import PropertyLists

/// Which application a document came from: the extended attribute `x-document-source`.
///
/// - SeeAlso: xattr(7), https://github.com/palmin/x-document-source
public struct DocumentSourceAttribute: Sendable, Equatable {
  /// The attribute's name for ordinary files on this system.
  public static let attributeName = "user.x-document-source"
  /// The name that files from other systems may carry, where the file system takes it.
  static let bareName = "x-document-source"
  /// The largest value that Linux takes anywhere, in bytes.
  public static let largestValue = 65536

  /// The providing application, as `com.appliedphasor.working-copy`.
  public var bundleIdentifier: String?
  /// What people call it.
  public var applicationName: String?
  /// The document's path within it, as `libgit2/docs/README.md`, without a slash before it.
  public var documentPath: String?
  /// Where a JSON file tells of its icons.
  public var appInfoURL: URL?

  /// A value; what is nil is not written.
  public init(
    bundleIdentifier: String? = nil,
    applicationName: String? = nil,
    documentPath: String? = nil,
    appInfoURL: URL? = nil
  ) {
    self.bundleIdentifier = bundleIdentifier
    self.applicationName = applicationName
    self.documentPath = documentPath
    self.appInfoURL = appInfoURL
  }

  /// What a property list says, in whatever format: values that are no strings, and keys that are not
  /// known, are left out.
  ///
  /// - Throws: ``DocumentSourceError/notADictionary``
  public init(propertyList data: Data) throws {
    guard data.count <= Self.largestValue, let values = UntrustedPropertyList.strings(data) else {
      throw DocumentSourceError.notADictionary
    }
    bundleIdentifier = values["identifier"]
    applicationName = values["name"]
    documentPath = values["path"]
    appInfoURL = values["appInfoURL"].flatMap { URL(string: $0) }
  }

  /// As a binary property list, with a key for each value that there is.
  public func propertyList() throws -> Data {
    var values: [String: String] = [:]
    values["identifier"] = bundleIdentifier
    values["name"] = applicationName
    values["path"] = documentPath
    values["appInfoURL"] = appInfoURL?.absoluteString
    return try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
  }

  /// What a file or a folder carries; nil for one that carries nothing.
  ///
  /// Follows links. Blocks for two system calls.
  /// - Throws: ``DocumentSourceError``
  public static func read(from fileURL: URL) throws -> DocumentSourceAttribute? {
    let path = try target(of: fileURL)
    do throws(SystemError) {
      var bytes = try FileSystem.attribute(attributeName, of: path)
      if bytes == nil { bytes = try FileSystem.attribute(bareName, of: path) }
      guard let bytes else { return nil }
      return try? DocumentSourceAttribute(propertyList: Data(bytes))  // no dictionary says nothing
    } catch { throw DocumentSourceError.unreadable(fileURL, error) }
  }

  /// Gives it to a file or a folder, in place of the one that it carries.
  ///
  /// Follows links. Blocks for two system calls.
  /// - Throws: ``DocumentSourceError``; ``DocumentSourceError/tooLarge(_:bytes:_:)`` where the file
  ///   system has no room for so long a value.
  public func write(to fileURL: URL) throws {
    let path = try Self.target(of: fileURL)
    let value = try propertyList()
    guard value.count <= Self.largestValue else {
      throw DocumentSourceError.tooLarge(fileURL, bytes: value.count, nil)
    }
    do throws(SystemError) {
      try FileSystem.setAttribute(Self.attributeName, to: Array(value), of: path)
    } catch {
      switch error.code.rawValue {
      case 28, 7, 34:  // ENOSPC, E2BIG, ERANGE
        throw DocumentSourceError.tooLarge(fileURL, bytes: value.count, error)
      case 95: throw DocumentSourceError.notSupported(fileURL, error)
      default: throw DocumentSourceError.notWritten(fileURL, error)
      }
    }
  }

  /// Takes it away; nothing happens to a file that carries none.
  ///
  /// - Throws: ``DocumentSourceError``
  public static func remove(from fileURL: URL) throws {
    let path = try target(of: fileURL)
    do throws(SystemError) { try FileSystem.removeAttribute(attributeName, of: path) } catch {
      throw DocumentSourceError.notWritten(fileURL, error)
    }
  }

  /// The file behind links: these carry none themselves.
  private static func target(of url: URL) throws -> FilePath {
    guard url.isFileURL, let path = FilePath(ofFileURL: url.absoluteString) else {
      throw DocumentSourceError.notAFile(url)
    }
    do throws(SystemError) { return try FileSystem.realPath(path) } catch {
      throw DocumentSourceError.unreadable(url, error)
    }
  }
}
