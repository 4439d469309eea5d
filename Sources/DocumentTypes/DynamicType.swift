/// A type made up for a tag that no declared type has; the identifier says all there is to say.
///
/// `dyn.ext.foo` conforms to `public.data`, `dyn.ext.foo:com.apple.package` to what is named behind
/// the colon; `dyn.mime.` stands before MIME types.
struct DynamicType {
  let identifier: String
  let tagClass: UTTagClass
  let tag: String
  let supertypes: [String]

  init?(_ identifier: String) {
    let tagClass: UTTagClass
    if identifier.hasPrefix("dyn.ext.") {
      tagClass = .filenameExtension
    } else if identifier.hasPrefix("dyn.mime.") {
      tagClass = .mimeType
    } else {
      return nil
    }
    let rest = identifier.dropFirst(tagClass == .mimeType ? 9 : 8)
    let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let tag = parts.first, !tag.isEmpty else { return nil }
    self.identifier = identifier
    self.tagClass = tagClass
    self.tag = String(tag)
    supertypes = parts.count > 1 ? [String(parts[1])] : Self.usualSupertypes(tagClass, tag)
  }

  init?(tag: String, _ tagClass: UTTagClass, _ supertype: UTType?) {
    let name = tag.lowercased()
    guard !name.isEmpty, !name.contains(where: { $0 == ":" || $0 == "\0" || $0.isWhitespace })
    else {
      return nil
    }
    switch tagClass {
    case .filenameExtension where !name.contains("/"): break
    case .mimeType where name.split(separator: "/", omittingEmptySubsequences: false).count == 2:
      break
    default: return nil
    }
    let base = (tagClass == .mimeType ? "dyn.mime." : "dyn.ext.") + name
    let usual = Self.usualSupertypes(tagClass, name[...]).map { UTType(declared: $0) }
    let isUsual = supertype.map { wanted in usual.contains { $0.conforms(to: wanted) } } ?? true
    self.init(isUsual ? base : "\(base):\(supertype?.identifier ?? "")")
  }

  private static func usualSupertypes(_ tagClass: UTTagClass, _ tag: Substring) -> [String] {
    guard tagClass == .mimeType else { return ["public.data"] }
    return switch tag.prefix(while: { $0 != "/" }) {
    case "text": ["public.text"]
    case "image": ["public.image"]
    case "audio": ["public.audio"]
    case "video": ["public.movie"]
    case "font": ["public.data", "public.font"]
    default: ["public.data"]
    }
  }
}
