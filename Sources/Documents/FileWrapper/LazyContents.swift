import FileCoordination
import Foundation
import LinuxSystem

/// The bytes of a regular file, read when they are first asked for.
///
/// Never bytes of two states of the file, and never those of another file that took its place.
final class LazyContents: Sendable {
  private struct State {
    var data: Data?
    /// Held where there are descriptors to spare: then a save that replaces the file is no loss.
    var file: HeldFile?
  }
  private let state: Mutex<State>

  init(_ data: Data) { state = Mutex(State(data: data)) }

  init(_ file: HeldFile?) { state = Mutex(State(file: file)) }

  /// The bytes if they are in memory.
  var data: Data? { state.withLock { $0.data } }

  /// The bytes.
  ///
  /// - Throws: when the file is not there any more, or not as it was.
  func load(_ known: FileOrigin.Known) throws -> Data {
    let (data, file) = state.withLock { ($0.data, $0.file) }
    if let data { return data }
    let read = try Self.read(file, known)
    return state.withLock { state in
      state.file = nil
      if let data = state.data { return data }
      state.data = read
      return read
    }
  }

  private static func read(_ file: HeldFile?, _ known: FileOrigin.Known) throws -> Data {
    guard let path = known.path, let status = known.status else { return Data() }
    do throws(SystemError) {
      if let file {
        if let data = try file.with({ (held) throws(SystemError) in try read(held, status) }) {
          return data
        }
      } else {
        let opened = try Descriptor.open(path, [.readOnly, .noFollow, .nonBlocking])
        if let data = try read(opened, status) { return data }
      }
    } catch { throw FileFailure.reading(path.url(), error) }
    throw FileFailure.make(
      .fileReadUnknown,
      path.url(),
      "“\(path)” was changed or replaced after the wrapper was made and before its contents were "
        + "read; read it again, or read with .immediate"
    )
  }

  /// The bytes, or nil if the file is not, or not any more, what it was.
  private static func read(
    _ file: borrowing Descriptor,
    _ expected: FileStatus
  ) throws(SystemError) -> Data? {
    guard try FileStatus(of: file).isUnchanged(since: expected) else { return nil }
    var data = Data(count: Int(expected.size))
    var span = data.mutableBytes
    guard try file.read(into: &span) == data.count else { return nil }
    return try FileStatus(of: file).isUnchanged(since: expected) ? data : nil
  }
}
