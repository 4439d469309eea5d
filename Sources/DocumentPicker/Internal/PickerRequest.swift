import Foundation

/// What a picker says to a provider's process, in JSON.
enum PickerRequest: Codable {
  struct Presentation: Codable {
    var modeNumber: UInt
    var validTypes: [String]?
    /// The text of a file URL: it keeps every byte.
    var original: String?

    init(mode: UIDocumentPickerMode, validTypes: [String]?, original: URL?) {
      modeNumber = mode.rawValue
      self.validTypes = validTypes
      self.original = original?.absoluteString
    }
    var mode: UIDocumentPickerMode { UIDocumentPickerMode(rawValue: modeNumber) ?? .import }
    var originalURL: URL? { original.flatMap { URL(string: $0) } }
  }
  case present(Presentation)
  case select(String)
  case confirm
}

/// What the provider's process answers.
enum PickerAnswer: Codable {
  case page(ProviderPage)
  /// The text of a file URL, or nil: nothing is handed over.
  case dismissed(String?)
}
