import FileCoordination
import Foundation
import LinuxSystem
import PropertyLists
import ProviderLink

/// What a placeholder says of its item: a binary property list.
struct PlaceholderFile {
  private let values: [String: Any]

  init(_ metadata: [URLResourceKey: Any]) {
    var values: [String: Any] = [:]
    for (key, value) in metadata
    where PropertyListSerialization.propertyList(value, isValidFor: .binary) {
      values[key.rawValue] = value
    }
    self.values = values
  }

  func write(to path: FilePath) throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: values,
      format: .binary,
      options: 0
    )
    if let parent = path.parent { try FileSystem.makeDirectories(parent) }
    try FileSystem.replace(path, with: Array(data))
    // Processes that run may not know the folder.
    ProviderBoard.noteFolder()
  }

  /// What a placeholder says; nothing where it says nothing that could be believed.
  static func metadata(at path: FilePath) -> [URLResourceKey: Any] {
    // It is only shown.
    guard let file = try? Descriptor.open(path, [.readOnly, .noFollow, .nonBlocking]),
      let bytes = try? file.read(upTo: 1 << 20),
      let values = UntrustedPropertyList.read(Data(bytes)) as? [String: Any]
    else { return [:] }
    return Dictionary(uniqueKeysWithValues: values.map { (URLResourceKey($0.key), $0.value) })
  }

  /// How large the item will be; nil where the placeholder does not say.
  static func size(at path: FilePath) -> Int? { metadata(at: path)[.fileSizeKey] as? Int }
}
