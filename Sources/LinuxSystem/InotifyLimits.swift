/// The kernel's limits for inotify, and what a process has in use.
///
/// - SeeAlso: inotify(7), proc(5)
package enum InotifyLimits {
  /// Watches one user may have.
  package static var watches: Int? { read("max_user_watches") }
  /// Instances one user may have.
  package static var instances: Int? { read("max_user_instances") }
  /// Records that wait in one queue before it overflows.
  package static var queue: Int? { read("max_queued_events") }

  /// How many watches the instance behind a descriptor of ours has in the kernel.
  package static func watchesInUse(by descriptor: CInt) -> Int {
    text("/proc/self/fdinfo/\(descriptor)").split(separator: "\n")
      .count { $0.hasPrefix("inotify wd:") }
  }

  /// The descriptor of the instance that watches this inode, and only it, among ours.
  package static func instance(watchingOnly inode: UInt64) -> CInt? {
    // Without /proc there is no answer, and the caller has another way.
    guard let names = try? FileSystem.list(FilePath("/proc/self/fd")) else { return nil }
    for name in names {
      guard let number = CInt(String(decoding: name, as: UTF8.self)) else { continue }
      let lines = text("/proc/self/fdinfo/\(number)").split(separator: "\n")
        .filter { $0.hasPrefix("inotify wd:") }
      guard lines.count == 1, let line = lines.first else { continue }
      if line.contains(" ino:\(String(inode, radix: 16)) ") { return number }
    }
    return nil
  }

  private static func read(_ name: String) -> Int? {
    Int(text("/proc/sys/fs/inotify/\(name)").split(separator: "\n").first ?? "")
  }

  private static func text(_ path: String) -> String {
    // A file of /proc that is not there says nothing.
    guard let file = try? Descriptor.open(FilePath(path), .readOnly),
      let bytes = try? file.readToEnd()
    else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
