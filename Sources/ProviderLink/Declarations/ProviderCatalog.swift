package import LinuxSystem

/// All providers that are declared, and what is wrong with other files there.
package struct ProviderCatalog: Sendable {
  package let declarations: [ProviderDeclaration]
  package let problems: [DeclarationProblem]

  /// Reads the declarations of this user as they are now.
  ///
  /// Of files with one name the first directory's counts, of providers with one identifier or one
  /// group the first by name. Blocks for as long as reading them takes.
  package static func load() -> ProviderCatalog {
    load(from: ProviderDirectories.declarations)
  }

  package static func load(from directories: [FilePath]) -> ProviderCatalog {
    var declarations: [ProviderDeclaration] = []
    var problems: [DeclarationProblem] = []
    var names: Set<[UInt8]> = []
    let ending = Array(".json".utf8)
    for directory in directories {
      // A directory that is not there declares nothing.
      guard let list = try? FileSystem.list(directory) else { continue }
      for name in list.sorted(by: { $0.lexicographicallyPrecedes($1) })
      where name.suffix(ending.count).elementsEqual(ending) && name.first != UInt8(ascii: ".") {
        guard names.insert(name).inserted else { continue }
        let file = directory.appending(name)
        do throws(DeclarationProblem) {
          let found = try ProviderDeclaration.read(file)
          if let other = declarations.first(where: { $0.collides(with: found) }) {
            throw DeclarationProblem(
              file: file,
              fault: "its identifier or its group is that of \(other.file)"
            )
          }
          declarations.append(found)
        } catch {
          problems.append(error)
        }
      }
    }
    return ProviderCatalog(declarations: declarations, problems: problems)
  }

  package func declaration(of identifier: String) -> ProviderDeclaration? {
    declarations.first { $0.identifier == identifier }
  }
}

extension ProviderDeclaration {
  fileprivate func collides(with other: ProviderDeclaration) -> Bool {
    identifier == other.identifier
      || (documentGroup != nil && documentGroup == other.documentGroup)
  }
}
