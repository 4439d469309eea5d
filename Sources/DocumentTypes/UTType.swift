public import Foundation

/// A kind of data: what it is called, what it is a special case of, and by what names it goes.
///
/// Types come from a table of Apple's, from ``declare(_:conformingTo:filenameExtensions:mimeTypes:)``
/// and, for extensions and MIME types that none of them knows, from the MIME database of the machine,
/// as dynamic types. Nothing blocks but the first question about an unknown one, which reads that
/// database.
///
/// Apple symbol: UTType.
public struct UTType: Hashable, Sendable, Codable {
  /// The name that is unique to it, for example `public.png`.
  ///
  /// Apple symbol: UTType.identifier.
  public let identifier: String

  /// The type with an identifier, or nil if none is declared.
  ///
  /// Apple symbol: UTType.init(_:).
  public init?(_ identifier: String) {
    if let declaration = TypeRegistry.shared.declaration(of: identifier) {
      self.identifier = declaration.identifier
    } else if DynamicType(identifier) != nil {
      self.identifier = identifier
    } else {
      return nil
    }
  }

  /// A type that is known to be declared.
  init(declared identifier: String) { self.identifier = identifier }

  /// The type of files with an extension, or nil for one that no file can have.
  ///
  /// A dynamic type, which conforms to `supertype`, where none is declared.
  ///
  /// Apple symbol: UTType.init(filenameExtension:conformingTo:).
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
  }

  /// The type of data with a MIME type, or nil for what is none.
  ///
  /// Apple symbol: UTType.init(mimeType:conformingTo:).
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
  }

  /// The type that goes by a tag and conforms to `supertype`, if one is given.
  ///
  /// Apple symbol: UTType.init(tag:tagClass:conformingTo:).
  public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
    if let found = Self.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first {
      self = found
    } else if let dynamic = DynamicType(tag: tag, tagClass, supertype) {
      identifier = dynamic.identifier
    } else {
      return nil
    }
  }

  /// All declared types that go by a tag, the best first.
  ///
  /// Apple symbol: UTType.types(tag:tagClass:conformingTo:).
  public static func types(
    tag: String,
    tagClass: UTTagClass,
    conformingTo supertype: UTType?
  ) -> [UTType] {
    let names: [String]
    switch tagClass {
    case .filenameExtension:
      let own = TypeRegistry.shared.identifiers(forExtension: tag)
      let mime = own.isEmpty ? SharedMimeInfo.shared.mimeType(forExtension: tag) : nil
      names = own + (mime.map(TypeRegistry.shared.identifiers(forMIMEType:)) ?? [])
    case .mimeType:
      let own = TypeRegistry.shared.identifiers(forMIMEType: tag)
      names =
        own.isEmpty
        ? TypeRegistry.shared.identifiers(forMIMEType: SharedMimeInfo.shared.canonical(tag)) : own
    default: names = []
    }
    let types = names.map(UTType.init(declared:))
    guard let supertype else { return types }
    return types.filter { $0.conforms(to: supertype) }
  }

  /// A type that this program declares.
  ///
  /// Apple symbol: UTType.init(exportedAs:conformingTo:).
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self = Self.declare(identifier, conformingTo: [parentType ?? .data])
  }

  /// A type that another program declares.
  ///
  /// Apple symbol: UTType.init(importedAs:conformingTo:).
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self = Self.declare(identifier, conformingTo: [parentType ?? .data])
  }

  /// Ours: declares a type in this process, which elsewhere a property list does.
  ///
  /// A type of Apple's table stays what it is; another that was declared before gains what is new.
  @discardableResult
  public static func declare(
    _ identifier: String,
    conformingTo supertypes: [UTType] = [.data],
    filenameExtensions: [String] = [],
    mimeTypes: [String] = []
  ) -> UTType {
    TypeRegistry.shared.declare(
      TypeRegistry.Declaration(
        identifier: identifier,
        supertypes: supertypes.map(\.identifier),
        extensions: filenameExtensions,
        mimeTypes: mimeTypes
      )
    )
    return UTType(identifier) ?? UTType(declared: identifier)
  }

  /// Ours: the type of the item at a URL, by its name, or by what it is where the name says nothing.
  ///
  /// Looks at the item, without following a link, only where the name says nothing. An item that is
  /// missing is taken for a file.
  public init(of url: URL) {
    let name = url.pathExtension
    if !name.isEmpty, let type = UTType(filenameExtension: name, conformingTo: .item) {
      self = type
    } else if let mime = SharedMimeInfo.shared.mimeType(forFileName: url.lastPathComponent),
      let type = UTType(mimeType: mime, conformingTo: .item)
    {
      self = type
    } else {
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
      self = isDirectory.boolValue ? .folder : .data
    }
  }

  // MARK: what it is

  private var declaration: TypeRegistry.Declaration? {
    TypeRegistry.shared.declaration(of: identifier)
  }

  /// All types it is a special case of.
  ///
  /// Apple symbol: UTType.supertypes.
  public var supertypes: Set<UTType> {
    var found: Set<UTType> = []
    var open = [self]
    while let type = open.popLast() {
      for parent in type.parents where found.insert(parent).inserted { open.append(parent) }
    }
    return found
  }

  private var parents: [UTType] {
    let names = declaration?.supertypes ?? DynamicType(identifier)?.supertypes ?? []
    return names.map { UTType($0) ?? UTType(declared: $0) }
  }

  /// Whether it is `type`, or a special case of it.
  ///
  /// Apple symbol: UTType.conforms(to:).
  public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }

  /// Whether it is a special case of `type`.
  ///
  /// Apple symbol: UTType.isSubtype(of:).
  public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }

  /// Whether `type` is a special case of it.
  ///
  /// Apple symbol: UTType.isSupertype(of:).
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

  /// Whether it was made up for a tag that no declared type has.
  ///
  /// Apple symbol: UTType.isDynamic.
  public var isDynamic: Bool { declaration == nil }
  /// Whether somebody declared it.
  ///
  /// Apple symbol: UTType.isDeclared.
  public var isDeclared: Bool { declaration != nil }
  /// Whether it belongs to everybody: its identifier begins with `public.`.
  ///
  /// Apple symbol: UTType.isPublic.
  public var isPublic: Bool { identifier.hasPrefix("public.") }

  /// What its files' names end in, the best first; MIME types without wildcards.
  ///
  /// Apple symbol: UTType.tags.
  public var tags: [UTTagClass: [String]] {
    if let dynamic = DynamicType(identifier) { return [dynamic.tagClass: [dynamic.tag]] }
    guard let declaration else { return [:] }
    var tags: [UTTagClass: [String]] = [:]
    if !declaration.extensions.isEmpty { tags[.filenameExtension] = declaration.extensions }
    let mimes = declaration.mimeTypes.filter { !$0.hasSuffix("/*") }
    if !mimes.isEmpty { tags[.mimeType] = mimes }
    return tags
  }

  /// What its files' names end in.
  ///
  /// Apple symbol: UTType.preferredFilenameExtension.
  public var preferredFilenameExtension: String? {
    if let own = tags[.filenameExtension]?.first { return own }
    return tags[.mimeType]?.first.flatMap { SharedMimeInfo.shared.extensions(of: $0).first }
  }

  /// Its MIME type.
  ///
  /// Apple symbol: UTType.preferredMIMEType.
  public var preferredMIMEType: String? {
    if let own = tags[.mimeType]?.first { return own }
    return tags[.filenameExtension]?.first.flatMap(SharedMimeInfo.shared.mimeType(forExtension:))
  }

  /// Nil: descriptions are not part of what this module reads.
  ///
  /// Apple symbol: UTType.localizedDescription.
  public var localizedDescription: String? { nil }

  // MARK: coding

  /// The type with the identifier that was encoded, declared here or not.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    self = UTType(name) ?? UTType(declared: name)
  }

  /// Encodes the identifier.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifier)
  }
}

extension UTType: CustomStringConvertible {
  /// The identifier.
  public var description: String { identifier }
}
