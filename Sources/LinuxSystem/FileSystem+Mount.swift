extension FileSystem {
  /// The number of the mount that a path lies on; nil where /proc does not say.
  ///
  /// Two mounts may show one file system: nothing can be renamed from one to the other.
  /// - Throws: what the system says of the path.
  /// - SeeAlso: proc_pid_fdinfo(5), mnt_id
  package static func mount(of path: FilePath) throws(SystemError) -> Int? {
    let place = try Descriptor.open(path, .pathOnly)
    // Without /proc there is no telling.
    guard
      let file = try? Descriptor.open(FilePath("/proc/self/fdinfo/\(place.number)"), .readOnly),
      let bytes = try? file.readToEnd()
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("mnt_id:") }
    return line.flatMap { Int($0.dropFirst(7).drop(while: \.isWhitespace)) }
  }
}
