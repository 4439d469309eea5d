import FileCoordination
public import Foundation
import LinuxSystem

/// With what pickers are shown, and where imported copies lie for as long as the program runs.
///
/// Ours. One is enough for a program: ``shared``.
@MainActor public final class DocumentSession {
  /// The one that view controllers use that have none of their own.
  public static var shared = DocumentSession()

  /// What shows pickers and menus.
  public var frontEnd: any DocumentPickerFrontEnd
  private var copies: FilePath?
  private var count = 0

  /// A session; without a front end every picker fails.
  public init(frontEnd: any DocumentPickerFrontEnd = NoFrontEnd()) {
    self.frontEnd = frontEnd
  }

  /// Where copies of imported items lie; made on first use, with nothing of dead programs beside it.
  ///
  /// - Throws: what making a directory throws.
  public var temporaryDirectory: URL {
    get throws {
      if let copies { return copies.url(isDirectory: true) }
      let made = try ImportDirectory.make()
      copies = made
      return made.url(isDirectory: true)
    }
  }

  /// A new folder for one imported item.
  func nextFolder() throws -> FilePath {
    let base = try temporaryDirectory
    count += 1
    guard let folder = FilePath(base)?.appending("\(count)") else {
      throw DocumentPickerError.notFileURL(base)
    }
    try FileSystem.makeDirectory(folder)
    return folder
  }

  /// Removes the copies of everything that was imported: the program has done.
  ///
  /// A program that dies without this leaves them until the next of the same name imports something.
  public func close() {
    guard let copies else { return }
    self.copies = nil
    do throws(SystemError) { try FileSystem.removeTree(copies) } catch {
      Diagnostics.report("imported copies are left behind in \(copies): \(error)")
    }
  }
}

/// Stands for a front end where none was given: nothing can be shown.
public struct NoFrontEnd: DocumentPickerFrontEnd {
  /// One that shows nothing.
  public init() {}
  /// Throws ``DocumentPickerError/frontEndUnavailable(_:)``.
  public func select(_ request: SelectionRequest) async throws -> Selection { throw failure }
  /// Throws ``DocumentPickerError/frontEndUnavailable(_:)``.
  public func chooseFromMenu(title: String, entries: [MenuEntry]) async throws -> String? {
    throw failure
  }
  /// Does nothing.
  public func dismiss() async {}
  private var failure: DocumentPickerError {
    .frontEndUnavailable("DocumentSession.shared.frontEnd was not set.")
  }
}
