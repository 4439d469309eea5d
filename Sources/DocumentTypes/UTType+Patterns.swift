extension UTType {
  /// By what file dialogs tell files, which know no types.
  package struct FilePatterns: Sendable, Hashable {
    /// What names end in, without the dot.
    package var extensions: [String]
    /// MIME types, also such as `image/*`.
    package var mimeTypes: [String]
  }

  /// What the files of these types, and of all that conform to them, are told by; nil: any file may be.
  ///
  /// Says rather too much than too little: who asked looks at what comes back.
  package static func filePatterns(of types: [UTType]) -> FilePatterns? {
    // Of these everything is, whether anybody declared it or not.
    let open: Set<UTType> = [.item, .data, .content]
    guard !types.isEmpty, open.isDisjoint(with: types) else { return nil }
    var patterns = FilePatterns(extensions: [], mimeTypes: [])
    var seen: Set<String> = []
    for type in types {
      if let dynamic = DynamicType(type.identifier), !type.isDeclared {
        switch dynamic.tagClass {
        case .filenameExtension: patterns.extensions.append(dynamic.tag)
        case .mimeType: patterns.mimeTypes.append(dynamic.tag)
        default: break
        }
        continue
      }
      for declaration in TypeRegistry.shared.all
      where UTType(declared: declaration.identifier).conforms(to: type) {
        guard seen.insert(declaration.identifier).inserted else { continue }
        patterns.extensions += declaration.extensions
        patterns.mimeTypes += declaration.mimeTypes
      }
    }
    patterns.extensions = patterns.extensions.unique
    patterns.mimeTypes = patterns.mimeTypes.unique
    return patterns.extensions.isEmpty && patterns.mimeTypes.isEmpty ? nil : patterns
  }
}

extension [String] {
  fileprivate var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
