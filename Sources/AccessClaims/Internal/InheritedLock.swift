import CoordinationRuntime
import LinuxSystem

/// A lock of an item that processes hold who made no claim: they inherited it.
struct InheritedLock: Sendable {
  let path: FilePath
  let kind: NodeKind
  let isExclusive: Bool
  let holders: [ProcessIdentity]

  /// All of a runtime directory, from the descriptors of all processes that we may look at.
  ///
  /// - SeeAlso: proc(5) /proc/pid/fdinfo, lines that begin with `lock:`
  static func all(in runtime: RuntimeDirectory) -> [InheritedLock] {
    // Without /proc nobody can say.
    let names = (try? FileSystem.list(FilePath("/proc"))) ?? []
    let claimants = Set((try? PeerFolder.all(in: runtime))?.map(\.pid) ?? [])
    var holders: [FilePath: [ProcessIdentity]] = [:]
    var exclusive: Set<FilePath> = []
    for name in names {
      guard let pid = Int32(String(decoding: name, as: UTF8.self)), !claimants.contains(pid),
        let process = ProcessIdentity(of: pid)
      else { continue }
      for (file, isExclusive) in locks(of: pid, in: runtime) {
        holders[file, default: []].append(process)
        if isExclusive { exclusive.insert(file) }
      }
    }
    return holders.compactMap { file, processes in
      guard let (path, kind) = node(file) else { return nil }
      return InheritedLock(
        path: path,
        kind: kind,
        isExclusive: exclusive.contains(file),
        holders: processes
      )
    }
  }

  /// The lock files of items that a process has open and locked.
  private static func locks(of pid: Int32, in runtime: RuntimeDirectory) -> [(FilePath, Bool)] {
    let nodes = runtime.path.appending(RuntimeDirectory.nodes.bytes)
    // A process that ends, or that is not ours to look at, has none.
    let numbers = (try? FileSystem.list(FilePath("/proc/\(pid)/fd"))) ?? []
    return numbers.compactMap { number in
      let text = String(decoding: number, as: UTF8.self)
      guard let target = try? FileSystem.readLink(FilePath("/proc/\(pid)/fd/\(text)")),
        target.isInside(nodes), target.bytes.last == UInt8(ascii: "i"),
        let info = try? Descriptor.open(FilePath("/proc/\(pid)/fdinfo/\(text)"), .readOnly),
        let bytes = try? info.readToEnd()
      else { return nil }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      guard let lock = lines.first(where: { $0.hasPrefix("lock:") && $0.contains("FLOCK") }) else {
        return nil
      }
      return (target, lock.contains("WRITE"))
    }
  }

  /// Which path's which lock a lock file is.
  private static func node(_ file: FilePath) -> (FilePath, NodeKind)? {
    guard let opened = try? Descriptor.open(file, [.readOnly, .noFollow]),
      let bytes = try? opened.readToEnd(), bytes.count > NodeHeader.size
    else { return nil }
    let kind: NodeKind = file.bytes.last == UInt8(ascii: "t") ? .tree : .item
    return (FilePath(bytes: bytes[NodeHeader.size...]), kind)
  }
}
