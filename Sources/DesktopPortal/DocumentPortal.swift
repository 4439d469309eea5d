package import LinuxSystem
package import SessionBus

/// The document portal: shows single files of the host to confined programs, through FUSE.
///
/// Its calls block until the portal has answered; it is started by the bus.
/// - SeeAlso: org.freedesktop.portal.Documents
package struct DocumentPortal: Sendable {
  private static let service = "org.freedesktop.portal.Documents"
  private static let object = "/org/freedesktop/portal/documents"

  /// A file of the host as a program sees it.
  package struct Document: Sendable, Hashable {
    package let id: String
    /// Where the program finds it.
    package let path: FilePath
  }

  private let bus: SessionBus
  /// Where the portal shows documents.
  package let mount: FilePath

  /// - Throws: ``PortalError`` that says whether the portal is missing or its mount.
  package init(bus: SessionBus) throws(PortalError) {
    self.bus = bus
    let method = BusMethod(Self.service, Self.object, Self.service, "GetMountPoint")
    let reply: [BusValue]
    do throws(BusError) { reply = try bus.call(method) } catch {
      throw PortalError(error, of: "document portal (Debian package xdg-desktop-portal)")
    }
    guard let bytes = reply.first?.unterminated, !bytes.isEmpty else {
      throw .nonsense("the document portal does not say where its mount is")
    }
    mount = FilePath(bytes: bytes)
    guard Self.isMount(mount) else {
      throw .missing(
        "the document portal has no FUSE mount at \(mount): /dev/fuse or fusermount3 is missing or "
          + "closed to this user"
      )
    }
  }

  /// Whether something is mounted there: the portal refuses statfs(2), which would say what.
  private static func isMount(_ path: FilePath) -> Bool {
    do throws(SystemError) {
      guard let above = path.parent else { return false }
      return try FileStatus(of: path).device != FileStatus(of: above).device
    } catch { return false }  // nothing there is no mount either
  }

  /// What a program sees, and nothing else.
  package func view(of application: String) -> FilePath {
    mount.appending("by-app").appending(application)
  }

  /// Shows a file or a folder to a program.
  ///
  /// If persistent, that outlives the portal's process.
  ///
  package func grant(
    _ path: FilePath,
    to application: String,
    writable: Bool,
    isPersistent: Bool
  ) throws(PortalError) -> Document {
    let isDirectory: Bool
    let file: SharedDescriptor
    do throws(SystemError) {
      file = SharedDescriptor(try Descriptor.open(path, .pathOnly))
      isDirectory = try FileStatus(ofNumber: file.number).kind == .directory
    } catch { throw .nonsense("\(error)") }
    // 1: the same document again if it is one, 2: persistent, 8: a folder
    let flags: UInt32 = 1 | (isPersistent ? 2 : 0) | (isDirectory ? 8 : 0)
    let permissions = ["read"] + (writable ? ["write"] : [])
    let reply = try call(
      "AddFull",
      [
        .array(type: "h", [.handle(0)]), .uint32(flags), .string(application),
        .strings(permissions),
      ],
      [file.number]
    )
    guard let id = reply.first?.elements?.first?.text, !id.isEmpty,
      let name = path.lastComponent
    else { throw .nonsense("the document portal did not take \(path)") }
    return Document(id: id, path: view(of: application).appending(id).appending(name))
  }

  /// Takes a document away from a program: its path is gone at once; what is open stays open.
  package func revoke(_ id: String, from application: String) throws(PortalError) {
    _ = try call(
      "RevokePermissions",
      [
        .string(id), .string(application),
        .strings(["read", "write", "grant-permissions", "delete"]),
      ],
      []
    )
  }

  /// The file of a document.
  package func hostPath(of id: String) throws(PortalError) -> FilePath {
    let reply = try call("Info", [.string(id)], [])
    guard let bytes = reply.first?.unterminated else {
      throw .nonsense("the document portal does not say what “\(id)” is")
    }
    return FilePath(bytes: bytes)
  }

  private func call(
    _ name: String,
    _ arguments: [BusValue],
    _ descriptors: [CInt]
  ) throws(PortalError) -> [BusValue] {
    do throws(BusError) {
      return try bus.call(
        BusMethod(Self.service, Self.object, Self.service, name),
        arguments,
        descriptors: descriptors
      )
    } catch { throw PortalError(error, of: "document portal") }
  }
}
