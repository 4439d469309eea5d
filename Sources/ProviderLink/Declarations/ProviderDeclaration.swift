import Foundation
package import LinuxSystem

/// What a provider says of itself in its declaration file.
package struct ProviderDeclaration: Hashable, Sendable {
  /// What a picker can do with a provider; the texts are those of the file.
  package enum Mode: String, Hashable, Sendable, CaseIterable {
    case `import` = "import"
    case open = "open"
    case exportToService = "exportToService"
    case moveToService = "moveToService"
  }

  package let identifier: String
  package let displayName: String
  package let icon: String?
  package let modes: Set<Mode>
  /// Identifiers of the types that it takes and has.
  package let supportedTypes: [String]
  /// Whose folder it shares; nil: it has no file provider.
  package let documentGroup: String?
  /// The program and its arguments.
  package let exec: [String]
  /// How long after its last use an item is no longer provided.
  package let stopAfter: Duration
  /// How long the program waits for work before it ends.
  package let exitAfter: Duration
  /// The file that says so.
  package let file: FilePath

  /// The folder that it shares with its users, as links lead to it; nil without a group.
  package var storage: FilePath? {
    documentGroup.flatMap { ProviderDirectories.storage(ofGroup: $0) }
  }
}

/// Why a declaration file counts for nothing.
package struct DeclarationProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package let file: FilePath
  package let fault: String
  package var description: String { "\(file): \(fault); the provider is left out" }
}

extension ProviderDeclaration {
  private static let sizeLimit = 64 * 1024

  /// The file's own shape; keys that are not known are skipped.
  private struct Shape: Decodable {
    let identifier: String
    let displayName: String
    let icon: String?
    let modes: [String]
    let supportedTypes: [String]
    let documentGroup: String?
    let exec: [String]
    let stopAfterSeconds: Double?
    let exitAfterSeconds: Double?
  }

  /// Reads a declaration, believing nothing of it.
  package static func read(_ file: FilePath) throws(DeclarationProblem) -> ProviderDeclaration {
    func refuse(_ fault: String) -> DeclarationProblem {
      DeclarationProblem(file: file, fault: fault)
    }
    let bytes: [UInt8]
    do throws(SystemError) {
      // A pipe must not make us wait.
      let opened = try Descriptor.open(file, [.readOnly, .nonBlocking])
      let status = try FileStatus(of: opened)
      guard status.kind == .regular else { throw SystemError("open", .invalid).about(file) }
      guard status.owner == Environment.user || status.owner == 0,
        status.permissions & 0o002 == 0
      else { throw SystemError("open", .permissionDenied).about(file) }
      guard status.size <= sizeLimit else {
        throw SystemError("read", .messageTooLong).about(file)
      }
      bytes = try opened.read(upTo: sizeLimit)
    } catch { throw refuse(error.description) }
    let shape: Shape
    do { shape = try JSONDecoder().decode(Shape.self, from: Data(bytes)) } catch {
      throw refuse("it is no declaration in JSON")
    }
    guard isName(shape.identifier) else { throw refuse("'identifier' is no name") }
    guard isText(shape.displayName) else { throw refuse("'displayName' cannot be shown") }
    if let icon = shape.icon, !isText(icon) { throw refuse("'icon' is no name") }
    if let group = shape.documentGroup, !isName(group) {
      throw refuse("'documentGroup' is no name")
    }
    let modes = shape.modes.compactMap(Mode.init)
    guard !modes.isEmpty, modes.count == shape.modes.count else {
      throw refuse("'modes' are import, open, exportToService and moveToService")
    }
    guard shape.documentGroup != nil || Set(modes).isDisjoint(with: [.open, .moveToService]) else {
      throw refuse("open and moveToService need a 'documentGroup'")
    }
    guard !shape.supportedTypes.isEmpty, shape.supportedTypes.count <= 1000,
      shape.supportedTypes.allSatisfy(isText)
    else { throw refuse("'supportedTypes' are no types") }
    guard let program = shape.exec.first, program.hasPrefix("/"), shape.exec.count <= 100,
      shape.exec.allSatisfy({ $0.utf8.count <= 4096 && !$0.utf8.contains(0) })
    else { throw refuse("'exec' is no absolute path and arguments") }
    let pauses = [shape.stopAfterSeconds ?? 30, shape.exitAfterSeconds ?? 30]
    guard pauses.allSatisfy({ $0 >= 0 && $0 <= 86400 }) else {
      throw refuse("its seconds are not between 0 and 86400")
    }
    return ProviderDeclaration(
      identifier: shape.identifier,
      displayName: shape.displayName,
      icon: shape.icon,
      modes: Set(modes),
      supportedTypes: shape.supportedTypes,
      documentGroup: shape.documentGroup,
      exec: shape.exec,
      stopAfter: .seconds(pauses[0]),
      exitAfter: .seconds(pauses[1]),
      file: file
    )
  }

  /// A name that can stand in a path: letters, digits, dots, hyphens and underscores, no dot first.
  package static func isName(_ text: String) -> Bool {
    let allowed = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return (1...200).contains(text.utf8.count) && text.utf8.allSatisfy(allowed)
      && text.first != "."
  }

  /// A text that can be shown: not empty, not endless, nothing that moves a terminal's cursor.
  private static func isText(_ text: String) -> Bool {
    (1...800).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        switch $0.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
      }
  }
}
