/// What kind of name a tag of a type is.
///
/// Apple symbol: UTTagClass.
public struct UTTagClass: RawRepresentable, Hashable, Sendable {
  /// The kind's name.
  public let rawValue: String
  /// A kind with this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Extensions of file names, without the dot.
  ///
  /// Apple symbol: UTTagClass.filenameExtension.
  public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
  /// MIME types.
  ///
  /// Apple symbol: UTTagClass.mimeType.
  public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}
