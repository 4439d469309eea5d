import Foundation
import PresenterLink

extension WireError {
  /// What of an error crosses the process boundary: domain, code, and the texts of its user info.
  init(_ error: any Error) {
    let error = error as NSError
    var strings: [String: String] = [:]
    for (key, value) in error.userInfo {
      if let text = value as? String { strings[key] = text }
      if let url = value as? URL { strings[key] = url.absoluteString }
    }
    strings[NSLocalizedDescriptionKey] = error.localizedDescription
    self.init(domain: error.domain, code: error.code, strings: strings)
  }

  /// The error as the asker gets it.
  var nsError: NSError {
    var info: [String: Any] = strings
    if let text = strings[NSURLErrorKey], let url = URL(string: text) { info[NSURLErrorKey] = url }
    return NSError(domain: domain, code: code, userInfo: info)
  }
}
