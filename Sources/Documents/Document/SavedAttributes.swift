import Foundation
import LinuxSystem

/// What of an application's file attributes a file can be given.
///
/// Permissions, owner, group and modification date; others have no meaning here and are ignored.
struct SavedAttributes {
  private let values: [FileAttributeKey: Any]

  init(_ attributes: [AnyHashable: Any]?) {
    var values: [FileAttributeKey: Any] = [:]
    for (key, value) in attributes ?? [:] {
      if let key = key.base as? FileAttributeKey { values[key] = value }
      if let key = key.base as? String { values[FileAttributeKey(rawValue: key)] = value }
    }
    self.values = values
  }

  func apply(to file: borrowing Descriptor) throws(SystemError) {
    if let mode = values[.posixPermissions] as? NSNumber {
      try file.setPermissions(mode.uint32Value & 0o7777)
    }
    let owner = (values[.ownerAccountID] as? NSNumber)?.uint32Value
    let group = (values[.groupOwnerAccountID] as? NSNumber)?.uint32Value
    if owner != nil || group != nil {
      // As with cp: who may not give files away keeps them.
      _ = file.setOwner(owner ?? .max, group: group ?? .max)
    }
    if let date = values[.modificationDate] as? Date {
      let seconds = date.timeIntervalSince1970.rounded(.down)
      let rest = date.timeIntervalSince1970 - seconds
      try file.setModified(
        FileStatus.Time(seconds: Int(seconds), nanoseconds: min(999_999_999, Int(rest * 1e9)))
      )
    }
  }
}
