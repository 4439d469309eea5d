/// How an editor of the demo works on the file; used on the main thread.
protocol DemoDesk: AnyObject {
  /// The text as the editor has it.
  var text: String { get }
  /// Whether nothing is under way and the file is known as it is.
  ///
  /// - Throws: ``CommandFailure`` if something failed for good.
  var isQuiet: Bool { get throws }
  /// Begins; the editor's loop goes round until ``isQuiet``.
  func open()
  /// Changes the text, and saves nothing.
  func edit(_ line: String)
  /// Does the next thing that brings the text into the file; true once it is there.
  func settle() throws -> Bool
  /// Ends.
  func close()
}
