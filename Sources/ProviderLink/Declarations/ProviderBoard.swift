import CoordinationRuntime
package import LinuxSystem

/// Which items are a provider's: answered without a system call for all that are nobody's.
///
/// A word in shared memory counts changes of declarations. Who sees another number reads them anew.
package enum ProviderBoard {
  /// A folder and whose it is.
  private struct Root: Sendable {
    let path: FilePath
    let declaration: ProviderDeclaration
  }
  private struct Known: Sendable {
    let runtime: RuntimeDirectory.Key
    let page: MappedFile
    var number: UInt64
    var roots: [Root]
  }
  private static let known = PerProcess<Known?>(nil)
  private static let mark: UInt64 = 0x3130_5652_5053_4346  // FCSPRV01

  /// The provider in whose folder `item` lies, a path without links; nil for anybody else's.
  package static func provider(of item: FilePath) -> ProviderDeclaration? {
    known.withLock { known in
      guard let current = refresh(&known) else { return nil }
      if current.roots.isEmpty { return nil }
      return current.roots.first { item.isInside($0.path) }?.declaration
    }
  }

  /// The provider whose folder `item` is; nil for anything else.
  package static func provider(ofFolder item: FilePath) -> ProviderDeclaration? {
    known.withLock { known in
      refresh(&known)?.roots.first { item == $0.path }?.declaration
    }
  }

  /// Has every process read the declarations again before its next access.
  package static func noteChange() {
    known.withLock { known in
      _ = refresh(&known)
      // Without a runtime directory nothing is coordinated, so nobody has to know.
      _ = known?.page.add64(1, at: 8)
    }
  }

  /// Notes a change once in this process: it begins to keep a folder that others may not know of.
  package static func noteFolder() {
    let isFirst = hasNoted.withLock { noted in
      defer { noted = true }
      return !noted
    }
    if isFirst { noteChange() }
  }
  private static let hasNoted = PerProcess(false)

  private static func refresh(_ known: inout Known?) -> Known? {
    guard let runtime = try? RuntimeDirectory.shared() else { return nil }
    if let current = known, current.runtime == runtime.key {
      let number = current.page.load64(8)
      if number == current.number { return current }
      known?.number = number
      known?.roots = roots()
      return known
    }
    do throws(RuntimeDirectoryError) {
      let page = try open(runtime)
      let number = page.load64(8)
      known = Known(runtime: runtime.key, page: page, number: number, roots: roots())
      return known
    } catch {
      CoordinationTrace.record(.diagnostic, "providers are not known: \(error)")
      return nil
    }
  }

  private static func open(_ runtime: RuntimeDirectory) throws(RuntimeDirectoryError)
    -> MappedFile
  {
    do throws(SystemError) {
      let file: Descriptor
      do throws(RuntimeDirectoryError) {
        file = try runtime.openFile(FilePath("providers.page"), [.readWrite, .create])
      } catch { throw error.cause ?? SystemError("openat", .permissionDenied) }
      // Growing a file to the length it has changes nothing.
      if try FileStatus(of: file).size < 4096 { try file.setLength(4096) }
      let page = try MappedFile(file, length: 4096)
      page.store64(mark, at: 0)
      return page
    } catch {
      throw RuntimeDirectoryError(runtime.path, error)
    }
  }

  private static func roots() -> [Root] {
    ProviderCatalog.load().declarations.compactMap { declaration in
      guard let storage = declaration.storage,
        let path = try? ItemResolver.shared.canonical(storage, followingLink: true)
      else { return nil }
      return Root(path: path, declaration: declaration)
    }
  }
}
