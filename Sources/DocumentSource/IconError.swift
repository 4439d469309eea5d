public import Foundation

/// Why an icon was not loaded.
public enum IconError: Error, Sendable, CustomStringConvertible {
  /// Only http and https lead to icons, and https never back to http.
  case notAllowed(URL)
  /// The server answered with a number other than 200.
  case status(Int, URL)
  /// It is longer than an icon, or a list of icons, can be.
  case tooLarge(URL, limit: Int)
  case tooManyRedirections(URL)
  /// It took longer than the time limit.
  case timedOut(URL)
  /// The connection failed; the text is Foundation's.
  case unreachable(URL, String)
  /// What came is no JSON file of icons, or no image.
  case nonsense(URL, String)

  /// What was asked for, and what happened.
  public var description: String {
    switch self {
    case .notAllowed(let url): "icons are not loaded from \(url.absoluteString)"
    case .status(let status, let url): "\(url.absoluteString): the server says \(status)"
    case .tooLarge(let url, let limit): "\(url.absoluteString) is longer than \(limit) bytes"
    case .tooManyRedirections(let url): "\(url.absoluteString) is redirected again and again"
    case .timedOut(let url): "\(url.absoluteString) took too long"
    case .unreachable(let url, let text), .nonsense(let url, let text):
      "\(url.absoluteString): \(text)"
    }
  }
}
