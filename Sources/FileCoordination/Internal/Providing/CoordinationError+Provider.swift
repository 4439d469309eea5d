package import Foundation
package import ProviderLink

extension CoordinationError {
  /// Why a provider did not deliver.
  init(provider: ProviderDeclaration, _ failure: ProviderFailure, _ item: AccessItem) {
    let name = item.url.isFileURL ? item.url.path : item.url.absoluteString
    let who = "The provider “\(provider.displayName)”"
    let log = "its log is in the coordination directory, in providers/\(provider.identifier)."
    func error(_ code: Code, _ message: String, cause: (any Error)? = nil) -> CoordinationError {
      CoordinationError(code, item.url, isWriting: item.isWriting, message, cause: cause)
    }
    self =
      switch failure {
      case .refused(let fault):
        error(
          .providerFailed,
          "\(who) did not deliver \(name): \(fault)",
          cause: fault.nsError
        )
      case .cannotStart(let cause):
        error(
          .providerUnavailable,
          "\(who) of \(name) cannot be started (\(cause)); \(provider.file) says how.",
          cause: cause
        )
      case .died:
        error(.providerUnavailable, "\(who) ended before \(name) was here; \(log)")
      case .silent:
        error(.providerUnavailable, "\(who) of \(name) does not answer; \(log)")
      case .garbled:
        error(.providerUnavailable, "\(who) of \(name) does not speak as it must; \(log)")
      case .cancelled:
        CoordinationError(.cancelled, [item])
      case .timedOut:
        error(.timedOut, "\(who) did not deliver \(name) within the time limit.")
      case .unreachable(let cause):
        error(
          .outOfResources,
          "\(who) of \(name) could not be asked (\(cause)); close files or raise ulimit -n.",
          cause: cause
        )
      }
  }
}

extension ProviderFault {
  /// What of an error crosses the process boundary: domain, code, and the texts of its user info.
  package init(_ error: any Error) {
    let error = error as NSError
    var texts: [String: String] = [:]
    for (key, value) in error.userInfo {
      if let text = value as? String { texts[key] = text }
      if let url = value as? URL { texts[key] = url.absoluteString }
    }
    texts[NSLocalizedDescriptionKey] = error.localizedDescription
    self.init(domain: error.domain, code: error.code, texts: texts)
  }

  /// The error as who asked gets it.
  package var nsError: NSError {
    var info: [String: Any] = texts
    if let text = texts[NSURLErrorKey], let url = URL(string: text) { info[NSURLErrorKey] = url }
    return NSError(domain: domain, code: code, userInfo: info)
  }
}
