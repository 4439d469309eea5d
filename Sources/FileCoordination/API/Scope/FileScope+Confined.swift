public import Foundation
import LinuxSystem

extension FileScope {
  /// Ours: which documents a confined program wants the user to choose.
  public struct DocumentRequest: Codable, Sendable, Hashable {
    /// What is done with them.
    public enum Purpose: String, Codable, Sendable {
      /// Existing files are opened in place.
      case open
      /// A folder and all it holds is opened in place.
      case openFolder
      /// A file is about to be made, or replaced.
      case save
    }
    /// What is done with them.
    public var purpose: Purpose
    /// Identifiers of types; empty: any.
    public var contentTypes: [String]
    /// Whether the user may choose several.
    public var allowsMultipleSelection: Bool
    /// What the dialog says.
    public var title: String
    /// The name of a file that is about to be made.
    public var suggestedName: String?

    /// A request.
    public init(
      _ purpose: Purpose = .open,
      contentTypes: [String] = [],
      allowsMultipleSelection: Bool = false,
      title: String = "Open",
      suggestedName: String? = nil
    ) {
      self.purpose = purpose
      self.contentTypes = contentTypes
      self.allowsMultipleSelection = allowsMultipleSelection
      self.title = title
      self.suggestedName = suggestedName
    }
  }

  /// Ours: whether the kernel keeps this process from files that it was not given.
  public static var isConfined: Bool { BrokerConnection.shared != nil }

  /// Ours: has the user choose documents, and gives this confined program access to them.
  ///
  /// Suspends until the user has chosen. Each URL has security scope: call
  /// `startAccessingSecurityScopedResource()` before use, or give it to a `UIDocument`.
  /// - Returns: the documents where this program finds them; none: the user wants none.
  /// - Throws: ``ScopeError``; ``ScopeError/brokerGone`` as soon as the broker dies.
  public static func requestDocuments(_ request: DocumentRequest) async throws -> [URL] {
    guard let broker = BrokerConnection.shared else { throw ScopeError.notConfined }
    let answer = try await broker.ask(.choose(request))
    switch answer.outcome {
    case .cancelled: return []
    case .documents(let paths):
      return paths.map { data in
        let url = BrokerMessage.path(data).urlOnDisk
        ScopeRegistry.shared.grant(url)
        return url
      }
    default: throw ScopeError(answer.outcome, FilePath(request.title))
    }
  }

  /// Ours: opens a file, through the broker where this process may not do it itself.
  ///
  /// Blocks until it is open. What the handle can do does not end with the access: the kernel does not
  /// take descriptors back.
  /// - Throws: ``ScopeError`` that says why not; in an ordinary process what open(2) says.
  public static func open(_ url: URL, forWriting: Bool = false) throws -> FileHandle {
    guard let path = FilePath(url) else {
      throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: url])
    }
    do throws(SystemError) {
      let file = try Descriptor.open(path, forWriting ? .readWrite : .readOnly)
      return FileHandle(fileDescriptor: file.release(), closeOnDealloc: true)
    } catch {
      guard isConfined, error.code == .permissionDenied || error.code == .notPermitted else {
        throw error
      }
    }
    guard let broker = BrokerConnection.shared else { throw ScopeError.notConfined }
    let own = try broker.open(path, forWriting: forWriting).with { file throws(SystemError) in
      try file.duplicate()
    }
    return FileHandle(fileDescriptor: own.release(), closeOnDealloc: true)
  }
}
