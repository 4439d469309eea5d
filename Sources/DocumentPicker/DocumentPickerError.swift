public import Foundation

/// Why nothing could be picked.
///
/// Ours; Apple's picker has no errors.
public enum DocumentPickerError: Error, Equatable, Sendable {
  /// Only file URLs can be exported and moved.
  case notFileURL(URL)
  /// There is nothing to export or move.
  case emptySourceList
  /// The picker is shown already.
  case alreadyPresented
  /// No provider that is switched on does what was asked for.
  case noProviderAvailable
  /// A provider gave an item that is not in its folder.
  case urlOutsideStorage(URL)
  /// A provider says that it took a file, but nothing is there.
  case destinationMissing(URL)
  /// A provider says that it took a file, but what is there is something else.
  case contentMismatch(URL)
  /// What was chosen is none of the types that were asked for.
  case wrongType(URL)
  /// Something of that name is there already.
  case destinationExists(URL)
  /// There is nothing that could show a picker.
  case frontEndUnavailable(String)
  /// The process of a provider ended, or could not be started.
  case providerUnavailable(String)
}

extension DocumentPickerError: LocalizedError {
  /// What happened, and what to do about it.
  public var errorDescription: String? {
    switch self {
    case .notFileURL(let url): "“\(url)” is not the URL of a file, so it cannot be handed over."
    case .emptySourceList: "No files were given to hand over."
    case .alreadyPresented: "The document picker is shown already."
    case .noProviderAvailable:
      "No provider that is switched on can do that; “filecoord providers list” shows them."
    case .urlOutsideStorage(let url):
      "The provider chose “\(url.path)”, which is not in its folder; nothing was picked."
    case .destinationMissing(let url):
      "The provider says that “\(url.path)” is there, but it is not; the original was kept."
    case .contentMismatch(let url):
      "“\(url.path)” is not the same as the original, which was kept."
    case .wrongType(let url):
      "“\(url.lastPathComponent)” is not of a type that was asked for; choose another file."
    case .destinationExists(let url):
      "“\(url.path)” is there already; choose another name."
    case .frontEndUnavailable(let reason): "No document picker can be shown: \(reason)"
    case .providerUnavailable(let reason): reason
    }
  }
}
