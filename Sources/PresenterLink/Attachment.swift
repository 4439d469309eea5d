import CoordinationRuntime
import LinuxSystem

/// What hangs on one runtime directory; replaced as a whole when the directory was.
final class Attachment: Sendable {
  let runtime: RuntimeDirectory
  let page: PresencePage
  let index: PeerIndex
  let connector: PeerConnector

  init(_ runtime: RuntimeDirectory, ourselves: ProcessIdentity) throws(RuntimeDirectoryError) {
    self.runtime = runtime
    page = try PresencePage(runtime)
    do throws(SystemError) {
      let peers = try PeerDirectory(runtime)
      index = PeerIndex(peers, page, except: ourselves)
      connector = PeerConnector(runtime, peers, index, ourselves: ourselves)
    } catch { throw RuntimeDirectoryError(runtime.path, error) }
  }

  /// Makes the listening socket and the overflow word in our folder.
  func makePost(in folder: PeerFolder) throws(SystemError) -> LinkThread.Post {
    let directory = folder.directory.number
    do throws(SystemError) {
      // One of an earlier link of this process.
      try FileSystem.removeFile(PeerFolder.socket, at: directory)
    } catch  where error.code == .noEntry {}
    let listener = try UnixSocket.listen(in: directory, name: "\(PeerFolder.socket)")
    let word = try Descriptor.open(
      PeerDirectory.overflow,
      [.readWrite, .create, .noFollow],
      mode: runtime.fileMode,
      at: directory
    )
    if runtime.fileMode == 0o660 {
      try FileSystem.setPermissions(PeerFolder.socket, runtime.fileMode, at: directory)
      try word.setPermissions(runtime.fileMode)
    }
    let length = 64
    try word.allocate(length)
    return LinkThread.Post(
      listener: SharedDescriptor(listener),
      overflow: try MappedFile(word, length: length),
      runtime: runtime
    )
  }
}
