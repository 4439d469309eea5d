import Glibc

/// A system call that failed: which call, why, and on what.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call's name, as its manual page spells it.
  package let call: String
  /// Why it failed.
  package let code: Errno
  /// The file or object the call was about, when there was one.
  package let subject: String?

  package init(_ call: StaticString, _ code: Errno, on subject: String? = nil) {
    self.init(call: call.description, code: code, subject: subject)
  }

  private init(call: String, code: Errno, subject: String?) {
    self.call = call
    self.code = code
    self.subject = subject
  }

  /// The same failure, said of `path`.
  package func about(_ path: FilePath) -> SystemError {
    SystemError(call: call, code: code, subject: path.description)
  }

  /// The C library's sentence for the error number.
  package var reason: String { unsafe String(cString: strerror(code.rawValue)) }

  package var description: String {
    "\(call)\(subject.map { " \($0)" } ?? ""): \(reason)"
  }
}

extension SystemError {
  init(_ call: StaticString, _ number: CInt, on subject: String? = nil) {
    self.init(call, Errno(rawValue: number), on: subject)
  }
}
