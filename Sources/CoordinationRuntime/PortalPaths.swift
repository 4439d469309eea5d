package import LinuxSystem

/// Paths below the mount of the document portal, and the files on the host that they stand for.
///
/// A confined program sees a document at `…/doc/<id>/<name>`, everybody else at its own place. So that
/// both exclude each other, the item of the first path is that of the second. The portal says which
/// that is in an attribute; where it is too old to, whoever granted the document has noted it in the
/// runtime directory. A path that lies nowhere below a mount costs no system call.
/// - SeeAlso: org.freedesktop.portal.Documents
package enum PortalPaths {
  /// The attribute that newer portals answer.
  package static let attribute = "user.document-portal.host-path"
  /// Names the mount in programs that are started with another `XDG_RUNTIME_DIR`.
  package static let variable = "FILE_COORDINATION_DOCUMENTS"
  private static let notes = FilePath("documents")

  /// A path below a mount, taken apart.
  package struct Place: Hashable, Sendable {
    package let mount: FilePath
    /// The portal's name of the document.
    package let id: [UInt8]
    /// The document itself: `<id>/<name>` in the view that the path is in.
    package let document: FilePath
  }

  /// Where mounts may be; looked up once, because what the process was told does not change.
  private static let mounts: [FilePath] = {
    var candidates = [Environment.value(of: variable)].compactMap { $0 }
    for directory in [
      Environment.value(of: "XDG_RUNTIME_DIR"), FilePath("/run/user/\(Environment.user)"),
      FilePath("/run/flatpak"),
    ] {
      guard let directory, directory.isAbsolute else { continue }
      // What is not there has no mount in it.
      let place = (try? FileSystem.realPath(directory)) ?? directory
      candidates.append(place.appending("doc"))
    }
    return candidates
  }()

  /// The place of a canonical path below a mount; nil for every other path.
  ///
  /// No system call after the first.
  package static func place(of path: FilePath) -> Place? {
    guard let mount = mounts.first(where: { path.isInside($0) }) else { return nil }
    return place(of: path, below: mount)
  }

  static func place(of path: FilePath, below mount: FilePath) -> Place? {
    var components = path.bytes.dropFirst(mount.count).split(separator: .slash)[...]
    var view = mount
    if components.first?.elementsEqual("by-app".utf8) == true, components.count >= 2 {
      view = view.appending("by-app").appending(components[components.startIndex + 1])
      components = components.dropFirst(2)
    }
    guard components.count >= 2 else { return nil }
    let id = components[components.startIndex]
    let name = components[components.startIndex + 1]
    return Place(mount: mount, id: Array(id), document: view.appending(id).appending(name))
  }

  /// The file on the host that a canonical path stands for; nil where it is that file already, or
  /// where nobody says.
  package static func hostPath(of path: FilePath) -> FilePath? {
    guard let place = place(of: path) else { return nil }
    if let host = attributeValue(of: path) { return host }
    guard let document = attributeValue(of: place.document) ?? note(of: place) else { return nil }
    // Beside a document lie only temporary files, which are nobody else's.
    return path.rebased(from: place.document, to: document)
  }

  private static func attributeValue(of path: FilePath) -> FilePath? {
    // An old portal has no such attribute, and of some nodes it gives bytes that mean nothing.
    guard let bytes = try? FileSystem.attribute(attribute, of: path) else { return nil }
    let host = FilePath(bytes: bytes.last == 0 ? bytes.dropLast() : bytes[...])
    let isWhole = host.count + (bytes.last == 0 ? 1 : 0) == bytes.count
    guard isWhole, host.isPlain, host.lastComponent == path.lastComponent else { return nil }
    return host
  }

  // MARK: Notes

  /// Notes for every process which file a document is, before anybody uses it.
  ///
  /// - Throws: ``RuntimeDirectoryError``
  package static func note(
    id: String,
    below mount: FilePath,
    is host: FilePath
  ) throws(RuntimeDirectoryError) {
    let runtime = try RuntimeDirectory.shared()
    let directory = try directory(in: runtime, making: true)
    let file = try runtime.openFile(FilePath(id), [.readWrite, .create], in: directory)
    do throws(SystemError) {
      let bytes = Array(mount.bytes) + [0] + Array(host.bytes) + [0]
      // Nothing is cut off first: a reader sees the old or the new, of which only the end differs.
      try file.write(bytes, at: 0)
      try file.setLength(bytes.count)
    } catch { throw RuntimeDirectoryError(runtime.path.appending(notes.bytes), error) }
  }

  private static func directory(
    in runtime: RuntimeDirectory,
    making: Bool
  ) throws(RuntimeDirectoryError) -> SharedDescriptor {
    do throws(SystemError) {
      return try runtime.descriptor.with { root throws(SystemError) in
        if making {
          let mode: UInt32 = runtime.fileMode == 0o660 ? 0o2770 : 0o700
          do throws(SystemError) {
            try FileSystem.makeDirectory(notes, mode: mode, at: root.number)
          } catch  where error.code == .alreadyExists {}
        }
        return SharedDescriptor(
          try Descriptor.open(notes, [.readOnly, .directory, .noFollow], in: root)
        )
      }
    } catch { throw RuntimeDirectoryError(runtime.path.appending(notes.bytes), error) }
  }

  private static func note(of place: Place) -> FilePath? {
    do {
      let runtime = try RuntimeDirectory.shared()
      let directory = try directory(in: runtime, making: false)
      let file = try runtime.openFile(FilePath(bytes: place.id), .readOnly, in: directory)
      let parts = try file.readToEnd().split(separator: 0, omittingEmptySubsequences: false)
      guard parts.count == 3, FilePath(bytes: parts[0]) == place.mount else { return nil }
      let host = FilePath(bytes: parts[1])
      return host.isPlain ? host : nil
    } catch { return nil }  // nobody noted it
  }
}
