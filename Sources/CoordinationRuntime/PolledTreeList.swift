package import LinuxSystem

/// The trees that a process looks at now and then because the kernel reports no events for them.
///
/// One file, `polled`, in the process's folder, replaced as a whole: path and reason of each tree, each
/// followed by a NUL. Missing as long as there are none.
package enum PolledTreeList {
  /// One tree and why it is polled.
  package struct Tree: Hashable, Sendable {
    package let path: FilePath
    package let reason: String
    package init(path: FilePath, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  private static let name = FilePath("polled")

  /// Replaces the list of this process.
  ///
  /// - Throws: what kept it from being written; then others see the old one.
  package static func publish(
    _ trees: [Tree],
    in runtime: RuntimeDirectory
  ) throws(RuntimeDirectoryError) {
    let folder = try PeerFolder.ours(in: runtime)
    do throws(SystemError) {
      try folder.directory.with { directory throws(SystemError) in
        if trees.isEmpty {
          do throws(SystemError) {
            try FileSystem.removeFile(name, at: directory.number)
          } catch  where error.code == .noEntry {}
          return
        }
        let building = FilePath("new-polled")
        let file = try Descriptor.open(
          building,
          [.writeOnly, .create, .truncate, .noFollow],
          mode: runtime.fileMode,
          in: directory
        )
        try file.write(encode(trees))
        try FileSystem.rename(building, to: name, at: directory.number)
      }
    } catch {
      throw RuntimeDirectoryError(runtime.path, error)
    }
  }

  /// The trees of every process that lives.
  ///
  /// - Throws: why the directory cannot be read. A process that ends meanwhile is left out.
  package static func everything(
    in runtime: RuntimeDirectory
  ) throws(RuntimeDirectoryError) -> [(process: ProcessIdentity, tree: Tree)] {
    do throws(SystemError) {
      let peers = SharedDescriptor(
        try runtime.descriptor.with { root throws(SystemError) in
          try Descriptor.open(RuntimeDirectory.peers, [.readOnly, .directory, .noFollow], in: root)
        }
      )
      let listing = try peers.with { peers throws(SystemError) in
        try Descriptor.open(FilePath("."), [.readOnly, .directory], in: peers)
      }
      let names = try FileSystem.list(listing, named: runtime.path)
      var all: [(process: ProcessIdentity, tree: Tree)] = []
      for folder in names {
        guard let process = PeerFolder.process(named: folder), process.state != .gone,
          let bytes = read(FilePath(bytes: folder).appending(name.bytes), in: peers)
        else { continue }
        all += decode(bytes).map { (process, $0) }
      }
      return all
    } catch {
      throw RuntimeDirectoryError(runtime.path, error)
    }
  }

  /// Nil where there is no list, which is the usual case.
  private static func read(_ path: FilePath, in peers: SharedDescriptor) -> [UInt8]? {
    try? peers.with { peers throws(SystemError) in
      try Descriptor.open(path, [.readOnly, .noFollow, .nonBlocking], in: peers).readToEnd()
    }
  }

  static func encode(_ trees: [Tree]) -> [UInt8] {
    trees.flatMap { Array($0.path.bytes) + [0] + Array($0.reason.utf8.filter { $0 != 0 }) + [0] }
  }

  static func decode(_ bytes: [UInt8]) -> [Tree] {
    var fields = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()[...]
    var trees: [Tree] = []
    while let path = fields.popFirst(), let reason = fields.popFirst() {
      trees.append(
        Tree(path: FilePath(bytes: path), reason: String(decoding: reason, as: UTF8.self))
      )
    }
    return trees
  }
}
