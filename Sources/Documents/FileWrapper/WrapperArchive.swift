import Foundation
import LinuxSystem

/// A tree of wrappers as bytes, and back.
///
/// `FWRP`, a version, then nodes: kind, preferred name, file name, attributes, and for a file its
/// bytes, for a link its text, for a directory the number of children and each with its key. All
/// numbers are 64-bit little endian; text and bytes have their length in front.
enum WrapperArchive {
  private static let magic: [UInt8] = [0x46, 0x57, 0x52, 0x50, 1]
  private static let maximumDepth = 200
  private enum Kind: UInt8 { case regular, directory, link }

  // MARK: writing

  static func encode(_ wrapper: FileWrapper) throws -> Data {
    var data = Data(magic)
    try append(wrapper, to: &data)
    return data
  }

  private static func append(_ wrapper: FileWrapper, to data: inout Data) throws {
    let known = wrapper.origin.known
    let kind: Kind =
      switch wrapper.content {
      case .regular: .regular
      case .directory: .directory
      case .link: .link
      }
    data.append(kind.rawValue)
    append(wrapper.preferredFilename, to: &data)
    append(known.filename, to: &data)
    append(wrapper.fileAttributes, to: &data)
    switch wrapper.content {
    case .regular(let contents): append(bytes: try contents.load(known), to: &data)
    case .link(let target): append(bytes: Data(target.bytes), to: &data)
    case .directory:
      let children = try wrapper.loadChildren().byKey
      append(number: UInt64(children.count), to: &data)
      for (key, child) in children.sorted(by: { $0.key < $1.key }) {
        append(key, to: &data)
        append(bytes: child.diskName.map { Data($0) } ?? Data(), to: &data)
        try append(child.wrapper, to: &data)
      }
    }
  }

  private static func append(_ attributes: [String: Any], to data: inout Data) {
    let permissions = attributes[FileAttributeKey.posixPermissions.rawValue] as? NSNumber
    append(number: permissions.map { UInt64(truncating: $0) } ?? .max, to: &data)
    let date = attributes[FileAttributeKey.modificationDate.rawValue] as? Date
    append(number: (date?.timeIntervalSince1970 ?? .nan).bitPattern, to: &data)
  }

  private static func append(_ text: String?, to data: inout Data) {
    data.append(text == nil ? 0 : 1)
    if let text { append(bytes: Data(text.utf8), to: &data) }
  }

  private static func append(bytes: Data, to data: inout Data) {
    append(number: UInt64(bytes.count), to: &data)
    data.append(bytes)
  }

  private static func append(number: UInt64, to data: inout Data) {
    for shift in 0..<UInt64(8) { data.append(UInt8(truncatingIfNeeded: number >> (shift * 8))) }
  }

  // MARK: reading

  static func decode(_ data: Data) -> FileWrapper? {
    var reader = Reader(rest: data[...])
    guard reader.take(magic.count).map(Array.init) == magic else { return nil }
    guard let wrapper = reader.wrapper(depth: 0), reader.rest.isEmpty else { return nil }
    return wrapper
  }

  /// Trusts nothing: any length may be a lie.
  private struct Reader {
    var rest: Data

    mutating func take(_ count: Int) -> Data? {
      guard count >= 0, count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }

    mutating func number() -> UInt64? {
      take(8).map { $0.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    }

    mutating func bytes() -> Data? {
      guard let length = number(), let count = Int(exactly: length) else { return nil }
      return take(count)
    }

    mutating func text() -> String?? {
      guard let flag = take(1)?.first, flag <= 1 else { return nil }
      if flag == 0 { return .some(nil) }
      guard let bytes = bytes(), let text = String(validating: bytes, as: UTF8.self) else {
        return nil
      }
      return text
    }

    mutating func attributes() -> [String: Any]? {
      guard let permissions = number(), let date = number() else { return nil }
      var attributes: [String: Any] = [:]
      if permissions <= 0o7777 {
        attributes[FileAttributeKey.posixPermissions.rawValue] = NSNumber(value: permissions)
      }
      let seconds = Double(bitPattern: date)
      if seconds.isFinite {
        attributes[FileAttributeKey.modificationDate.rawValue] =
          Date(timeIntervalSince1970: seconds)
      }
      return attributes
    }

    mutating func wrapper(depth: Int) -> FileWrapper? {
      guard depth < maximumDepth, let byte = take(1)?.first, let kind = Kind(rawValue: byte),
        let preferred = text(), let filename = text(), let attributes = attributes()
      else { return nil }
      if preferred != nil, WrapperName.fault(of: preferred) != nil { return nil }
      let origin = FileOrigin(FileOrigin.Known(filename: filename))
      let wrapper: FileWrapper
      switch kind {
      case .regular:
        guard let bytes = bytes() else { return nil }
        wrapper = FileWrapper(.regular(LazyContents(Data(bytes))), origin, preferredName: preferred)
      case .link:
        guard let bytes = bytes() else { return nil }
        wrapper = FileWrapper(.link(FilePath(bytes: bytes)), origin, preferredName: preferred)
      case .directory:
        wrapper = FileWrapper(.directory(WrapperChildren()), origin, preferredName: preferred)
        guard addChildren(to: wrapper, depth: depth) else { return nil }
      }
      wrapper.fileAttributes = attributes
      return wrapper
    }

    private mutating func addChildren(to wrapper: FileWrapper, depth: Int) -> Bool {
      guard let count = number() else { return false }
      var read: UInt64 = 0
      while read < count {
        guard case .some(.some(let key)) = text(), WrapperName.fault(of: key) == nil,
          let diskName = bytes(), let child = self.wrapper(depth: depth + 1)
        else { return false }
        let name = Array(diskName)
        guard FilePath(bytes: name).bytes.elementsEqual(name), !name.contains(.slash) else {
          return false
        }
        wrapper.insertDecoded(child, key: key, diskName: name.isEmpty ? nil : name)
        read += 1
      }
      return true
    }
  }
}
