import FileCoordination
import Foundation
import LinuxSystem
import SafeSaving

/// Regular files as documents are read and written.
enum NewFile {
  /// Makes a file that nobody else can open yet; its name must be free.
  static func write(_ data: Data, to path: FilePath) throws(SystemError) {
    let file = try Descriptor.open(path, [.writeOnly, .create, .exclusive])
    try file.write(data.span.bytes)
    // Over some network file systems this is where a failure to write is told.
    try file.close()
  }

  /// Reads a whole file; never maps it: a mapped file that others cut short kills its readers.
  static func read(_ path: FilePath) throws(SystemError) -> (data: Data, status: FileStatus) {
    let file = try Descriptor.open(path, [.readOnly, .nonBlocking])
    let status = try FileStatus(of: file)
    guard status.kind == .regular else { throw SystemError("read", .invalid).about(path) }
    let bytes = try FileBytes(of: file, upTo: Int(status.size))
    var data = Data(bytesNoCopy: bytes.start, count: bytes.count, deallocator: .free)
    // It may have grown since, and files in /proc have no size.
    let size = bytes.count == 0 ? -1 : try FileStatus(of: file).size
    if bytes.count == status.size, size != status.size {
      data.append(contentsOf: try rest(of: file, from: data.count))
    }
    return (data, status)
  }

  /// What stands behind `offset`.
  private static func rest(of file: borrowing Descriptor, from offset: Int) throws(SystemError)
    -> [UInt8]
  {
    var all: [UInt8] = []
    while true {
      let part = try file.read(1 << 16, at: offset + all.count)
      if part.isEmpty { return all }
      all += part
    }
  }

}

extension FileStatus.Time {
  /// As Foundation has it, which is less exact: compare the times themselves.
  var date: Date {
    Date(timeIntervalSince1970: TimeInterval(seconds) + TimeInterval(nanoseconds) / 1e9)
  }
}

/// Errors of saving and opening as Foundation's calls report them.
enum SaveFailure {
  static func nsError(_ error: any Error, at url: URL, isWriting: Bool = true) -> NSError {
    switch error {
    case let error as SystemError: .file(error, at: url, isWriting: isWriting)
    case let error as OverwriteFailure:
      .file(error.cause, at: url, isWriting: true, error.description)
    case let error as CoordinationError: error.nsError
    default: error as NSError
    }
  }
}
