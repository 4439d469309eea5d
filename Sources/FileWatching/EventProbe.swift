import LinuxSystem

/// Finds out by trying whether the kernel reports anything on a file system.
enum EventProbe {
  /// Whether opening a directory is reported by an instance that watches it.
  ///
  /// Changes nothing. True where it cannot be tried, for want of an instance or of permission: then
  /// nothing speaks against it.
  static func reports(_ directory: CInt) -> Bool {
    guard let instance = try? InotifyInstance(),
      (try? instance.add(directory, [.opened, .onlyDirectory])) != nil,
      (try? Descriptor.open(FilePath("."), [.readOnly, .directory], at: directory)) != nil
    else { return true }
    var records: [InotifyRecord] = []
    instance.read(into: &records)
    return records.contains { $0.mask.contains(.opened) }
  }
}
