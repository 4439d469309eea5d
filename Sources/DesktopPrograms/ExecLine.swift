/// The command line of a desktop entry, as far as it has to be judged before it is run.
///
/// GIO expands it, without a shell. What it expands into the middle of quotes, though, may end up in a
/// script that the entry hands to a shell of its own; and codes that nobody defined it drops. Such
/// entries are not run.
package struct ExecLine: Sendable {
  /// What is wrong with it, or nil.
  package let fault: String?
  /// Whether it says where the files go; else they are appended, one program for each.
  package let hasFileCode: Bool

  /// Judges a command line with the escapes of the file already undone.
  package init(_ text: String) {
    var fault: String?
    var fileCodes = 0
    var quote: UInt8?
    var wordHasEscape = false
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        _ = bytes.popFirst()
        wordHasEscape = true
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"):
        if quote == nil { wordHasEscape = false }
      case UInt8(ascii: "%"):
        guard let code = bytes.popFirst() else {
          fault = fault ?? "it ends with a lone '%'"
          break
        }
        if code == UInt8(ascii: "%") { break }
        let name = Character(Unicode.Scalar(code))
        if "dDnN".contains(name) {
          // GIO gives it the file's folder or name, and the file to nobody.
          fault = fault ?? "it has the withdrawn field code '%\(name)'"
        }
        guard "fFuUickdDnNvm".contains(name) else {
          fault = fault ?? "it has the unknown field code '%\(name)'"
          break
        }
        if "fFuU".contains(name) { fileCodes += 1 }
        if quote != nil || wordHasEscape { fault = fault ?? "a field code stands inside quotes" }
      default: break
      }
    }
    if quote != nil { fault = fault ?? "a quote is not closed" }
    if fileCodes > 1 { fault = fault ?? "it has more than one field code for files" }
    if text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) { fault = fault ?? "it is empty" }
    self.fault = fault
    hasFileCode = fileCodes > 0
  }
}
