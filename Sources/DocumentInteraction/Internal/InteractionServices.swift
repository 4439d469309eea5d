package import Foundation

/// What a controller needs of the desktop around it: the real one, or a test's.
package struct InteractionServices: Sendable {
  /// A program, as menus show it.
  package struct Program: Hashable, Sendable {
    package let id: String
    package let name: String
    package let icon: String?

    package init(id: String, name: String, icon: String? = nil) {
      self.id = id
      self.name = name
      self.icon = icon
    }

    var entry: DocumentMenu.Entry { .init(choice: .program(id), title: name, icon: icon) }
  }

  package var typeOfItem: @Sendable (URL) -> String?
  package var typeOfName: @Sendable (String) -> String
  package var icons: @Sendable (String) -> [DocumentIcon]
  /// The programs for a MIME type, the preferred one first.
  package var programs: @Sendable (String) -> [Program]
  /// Hands a file over; ends when the program has it.
  package var open: @Sendable (HandOff, HandOffPresenter) async throws -> Void
  package var canPreview: @Sendable (URL, String) -> Bool
  package var preview: @Sendable (URL, String) async throws -> DocumentPreview
  package var canPerform: @Sendable (DocumentAction, URL, String) -> Bool
  package var perform: @Sendable (DocumentAction, URL, String) async throws -> Void

  package init(
    typeOfItem: @escaping @Sendable (URL) -> String?,
    typeOfName: @escaping @Sendable (String) -> String,
    icons: @escaping @Sendable (String) -> [DocumentIcon],
    programs: @escaping @Sendable (String) -> [Program],
    open: @escaping @Sendable (HandOff, HandOffPresenter) async throws -> Void,
    canPreview: @escaping @Sendable (URL, String) -> Bool,
    preview: @escaping @Sendable (URL, String) async throws -> DocumentPreview,
    canPerform: @escaping @Sendable (DocumentAction, URL, String) -> Bool,
    perform: @escaping @Sendable (DocumentAction, URL, String) async throws -> Void
  ) {
    self.typeOfItem = typeOfItem
    self.typeOfName = typeOfName
    self.icons = icons
    self.programs = programs
    self.open = open
    self.canPreview = canPreview
    self.preview = preview
    self.canPerform = canPerform
    self.perform = perform
  }
}
