import LinuxSystem

/// All types that are declared in this process.
final class TypeRegistry: Sendable {
  static let shared = TypeRegistry()

  struct Declaration: Sendable {
    let identifier: String
    var supertypes: [String]
    var extensions: [String]
    var mimeTypes: [String]
    var isFromTable = false
  }

  private struct State {
    /// By identifier in lower case: identifiers are compared without regard to case.
    var declarations: [String: Declaration] = [:]
    /// Identifiers by tag, those declared first in front.
    var byExtension: [String: [String]] = [:]
    var byMIMEType: [String: [String]] = [:]

    mutating func add(_ declaration: Declaration) {
      let key = declaration.identifier.lowercased()
      declarations[key] = declaration
      for name in declaration.extensions {
        byExtension[name.lowercased(), default: []].appendIfNew(declaration.identifier)
      }
      for name in declaration.mimeTypes where !name.hasSuffix("/*") {
        byMIMEType[name.lowercased(), default: []].appendIfNew(declaration.identifier)
      }
    }
  }
  private let state: Mutex<State>

  private init() {
    var all = State()
    for row in TypeTable.rows {
      all.add(
        Declaration(
          identifier: row.identifier,
          supertypes: row.supertypes,
          extensions: row.extensions,
          mimeTypes: row.mimeTypes,
          isFromTable: true
        )
      )
    }
    for (mime, identifier) in TypeTable.otherMIMETypes {
      all.byMIMEType[mime, default: []].append(identifier)
    }
    state = Mutex(all)
  }

  func declaration(of identifier: String) -> Declaration? {
    state.withLock { $0.declarations[identifier.lowercased()] }
  }

  /// Every declaration, by identifier.
  var all: [Declaration] {
    state.withLock { Array($0.declarations.values) }.sorted { $0.identifier < $1.identifier }
  }

  /// Declares a type, or adds to its declaration; the types of the table stay what they are.
  func declare(_ declaration: Declaration) {
    state.withLock { state in
      guard var known = state.declarations[declaration.identifier.lowercased()] else {
        state.add(declaration)
        return
      }
      guard !known.isFromTable else { return }
      for supertype in declaration.supertypes { known.supertypes.appendIfNew(supertype) }
      for name in declaration.extensions { known.extensions.appendIfNew(name) }
      for name in declaration.mimeTypes { known.mimeTypes.appendIfNew(name) }
      state.add(known)
    }
  }

  func identifiers(forExtension name: String) -> [String] {
    state.withLock { $0.byExtension[name.lowercased()] ?? [] }
  }

  func identifiers(forMIMEType name: String) -> [String] {
    state.withLock { $0.byMIMEType[name.lowercased()] ?? [] }
  }
}

extension [String] {
  fileprivate mutating func appendIfNew(_ element: String) {
    if !contains(element) { append(element) }
  }
}
