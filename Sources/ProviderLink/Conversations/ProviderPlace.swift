import CoordinationRuntime
package import LinuxSystem

/// Where the process of a provider listens: `providers/<identifier>` in the runtime directory.
///
/// `socket` is what it listens at, `start` is locked by who starts it and by the process while it ends,
/// `log` takes what it says.
package struct ProviderPlace: Sendable {
  package static let socket = "socket"
  let directory: SharedDescriptor
  let path: FilePath

  package init(_ identifier: String) throws(ProviderFailure) {
    let runtime: RuntimeDirectory
    do throws(RuntimeDirectoryError) { runtime = try RuntimeDirectory.shared() } catch {
      throw .unreachable(error.cause ?? SystemError("openat", .permissionDenied))
    }
    do throws(SystemError) {
      let all = try Self.open(FilePath("providers"), in: runtime.descriptor.number)
      directory = SharedDescriptor(try Self.open(FilePath(identifier), in: all.number))
    } catch { throw .unreachable(error) }
    path = runtime.path.appending("providers").appending(identifier)
  }

  private static func open(_ name: FilePath, in directory: CInt) throws(SystemError) -> Descriptor {
    do throws(SystemError) {
      try FileSystem.makeDirectory(name, mode: 0o700, at: directory)
    } catch  where error.code == .alreadyExists {}
    let opened = try Descriptor.open(
      name,
      [.readOnly, .directory, .noFollow],
      at: directory
    )
    guard try FileStatus(of: opened).owner == Environment.user else {
      throw SystemError("openat", .notPermitted).about(name)
    }
    return opened
  }

  /// The lock of who starts or ends the process, not taken yet.
  package func startLock() throws(SystemError) -> Descriptor {
    try Descriptor.open(
      FilePath("start"),
      [.readWrite, .create, .noFollow],
      at: directory.number
    )
  }

  /// Nobody finds the process any more; who is connected stays so.
  package func removeSocket() {
    // Gone already is as good.
    try? FileSystem.removeFile(FilePath(Self.socket), at: directory.number)
  }

  func log() throws(SystemError) -> Descriptor {
    try Descriptor.open(
      FilePath("log"),
      [.writeOnly, .create, .truncate, .append, .noFollow],
      at: directory.number
    )
  }
}
