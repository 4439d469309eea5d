/// What a directory's wrapper holds.
struct WrapperChildren {
  struct Child {
    let wrapper: FileWrapper
    /// Its name on disk, byte by byte, where the key came from there.
    var diskName: [UInt8]?
    /// How many were added before it.
    ///
    /// Those that were read come in the order in which their directory
    /// lists them: a file system adds thousands of names faster in its own order than in another.
    let number: Int
  }

  private(set) var byKey: [String: Child] = [:]
  private var keys: [ObjectIdentifier: String] = [:]
  private var added = 0

  /// Keys and children in the order in which they were added.
  var inOrder: [(key: String, value: Child)] {
    byKey.sorted { $0.value.number < $1.value.number }
  }

  func key(of child: FileWrapper) -> String? { keys[ObjectIdentifier(child)] }

  /// Adds a child under a key of its own; one that is there already stays under its key.
  mutating func add(
    _ child: FileWrapper,
    named name: String,
    diskName: [UInt8]? = nil,
    _ naming: FileWrapper.DuplicateNaming
  ) -> String {
    if let key = key(of: child) { return key }
    let key = WrapperName.key(for: name, naming) { byKey[$0] != nil }
    byKey[key] = Child(wrapper: child, diskName: diskName, number: added)
    added += 1
    keys[ObjectIdentifier(child)] = key
    return key
  }

  /// Whether the child was there.
  mutating func remove(_ child: FileWrapper) -> Bool {
    guard let key = keys.removeValue(forKey: ObjectIdentifier(child)) else { return false }
    byKey[key] = nil
    return true
  }

  /// After a writing, names on disk are the keys.
  mutating func setDiskName(_ name: [UInt8], forKey key: String) { byKey[key]?.diskName = name }
}
