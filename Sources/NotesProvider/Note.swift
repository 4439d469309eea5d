import DocumentPicker
package import Foundation

/// What a note is, and where notes are: in the folder that is shared, and in the store.
package enum Note {
  /// The only kind of file that is taken.
  package static let fileExtension = "txt"
  /// Under which the provider is declared.
  package static let identifier = "org.swift-file-coordination.notes"

  /// Where a note of that name lies in the shared folder; nil for a name that is none.
  package static func fileUrlForDocumentNamed(_ name: String, in folder: URL) -> URL? {
    guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/") else { return nil }
    return folder.appending(path: name, directoryHint: .notDirectory)
      .appendingPathExtension(fileExtension)
  }
}

/// Where the notes are when nobody uses them: elsewhere, this would be another computer.
///
/// Plain files in `notes-provider/store` in the user's data directory.
package struct NoteStore: Sendable {
  /// The directory.
  package let directory: URL

  /// The store of this user.
  package init() {
    let home = ProcessInfo.processInfo.environment["XDG_DATA_HOME"]
    let data =
      home.flatMap { $0.hasPrefix("/") ? URL(filePath: $0, directoryHint: .isDirectory) : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
    directory = data.appending(path: "notes-provider/store", directoryHint: .isDirectory)
  }

  /// The names of all notes.
  package func names() throws -> [String] {
    try makeDirectory()
    return try FileManager.default.contentsOfDirectory(atPath: directory.path)
      .filter { $0.hasSuffix(".\(Note.fileExtension)") && !$0.hasPrefix(".") }
  }

  /// How long a note is; nil if there is none of that name.
  package func size(of name: String) -> Int? {
    let values = try? url(name).resourceValues(forKeys: [.fileSizeKey])  // nil: not there
    return values?.fileSize
  }

  /// The text of a note.
  package func read(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

  /// Gives a note another text.
  package func write(_ text: Data, to name: String) throws {
    try makeDirectory()
    try text.write(to: url(name), options: .atomic)
  }

  /// Takes a note out.
  package func remove(_ name: String) throws {
    do { try FileManager.default.removeItem(at: url(name)) } catch CocoaError.fileNoSuchFile {}
  }

  private func url(_ name: String) -> URL { directory.appending(path: name) }

  private func makeDirectory() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }
}
