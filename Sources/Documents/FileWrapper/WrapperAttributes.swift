import Foundation
import LinuxSystem

/// A file's attributes as `FileManager` names them, and as the system takes them.
enum WrapperAttributes {
  /// What writing applies.
  struct Planned: Sendable {
    /// Nil: whatever the umask leaves of all.
    var permissions: UInt32?
    /// Nil: the time of writing.
    var modified: FileStatus.Time?
  }

  static func describe(_ status: FileStatus?, _ isDirectory: Bool) -> [String: Any] {
    guard let status else {
      return [
        FileAttributeKey.posixPermissions.rawValue: NSNumber(value: isDirectory ? 0o777 : 0o666)
      ]
    }
    let type: FileAttributeType =
      switch status.kind {
      case .directory: .typeDirectory
      case .link: .typeSymbolicLink
      case .regular: .typeRegular
      case .other: .typeUnknown
      }
    let attributes: [FileAttributeKey: Any] = [
      .posixPermissions: NSNumber(value: status.permissions),
      .modificationDate: date(status.modified),
      .size: NSNumber(value: status.size),
      .type: type,
      .ownerAccountID: NSNumber(value: status.owner),
      .groupOwnerAccountID: NSNumber(value: status.group),
      .systemFileNumber: NSNumber(value: status.inode),
      .systemNumber: NSNumber(value: status.device),
      .referenceCount: NSNumber(value: status.links),
    ]
    return Dictionary(uniqueKeysWithValues: attributes.map { ($0.key.rawValue, $0.value) })
  }

  static func planned(
    _ own: [String: Any]?,
    _ status: FileStatus?,
    _ isDirectory: Bool
  ) -> Planned {
    var planned = Planned()
    guard let own else {
      planned.permissions = status?.permissions
      planned.modified = status?.modified
      return planned
    }
    let number = own[FileAttributeKey.posixPermissions.rawValue] as? NSNumber
    planned.permissions = number.map { UInt32(truncating: $0) & 0o7777 } ?? status?.permissions
    if let date = own[FileAttributeKey.modificationDate.rawValue] as? Date {
      // A date that came from the file is that of the file: the date alone has lost its nanoseconds.
      let isTheFiles = status.map { Self.date($0.modified) == date } ?? false
      planned.modified = isTheFiles ? status?.modified : time(date)
    } else {
      planned.modified = status?.modified
    }
    return planned
  }

  static func date(_ time: FileStatus.Time) -> Date {
    Date(timeIntervalSince1970: Double(time.seconds) + Double(time.nanoseconds) / 1e9)
  }

  static func time(_ date: Date) -> FileStatus.Time {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    let rest = date.timeIntervalSince1970 - seconds
    return FileStatus.Time(
      seconds: Int(clamping: Int64(seconds)),
      nanoseconds: min(Int(rest * 1e9), 999_999_999)
    )
  }
}
