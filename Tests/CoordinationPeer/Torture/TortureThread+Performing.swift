import FileCoordination
import Foundation
import LinuxSystem
import PeerScript

extension TortureThread {
  /// One call, recorded from its beginning to its end.
  func perform(
    _ call: String,
    _ items: [(kind: Access.Item.Kind, path: String, options: UInt)],
    by coordinator: NSFileCoordinator = NSFileCoordinator(),
    _ accessor: ([String]) -> Void
  ) {
    let wanted = items.map { "\($0.kind.rawValue) \($0.path) \($0.options)" }
    log.record(call, .call, [coordinator.purposeIdentifier] + wanted)
    let limit: Duration? = chance(20) ? .milliseconds(random(5..<200)) : nil
    do {
      try coordinate(items, coordinator, limit) { urls in
        let paths = urls.map(\.path)
        log.record(
          call,
          .began,
          zip(items, paths).flatMap { [Self.mode($0.0, at: $0.1), resolved($0.1)] }
        )
        accessor(paths)
        log.record(call, .ended)
      }
      log.record(call, .returned, "ok")
    } catch let error as CoordinationError {
      log.record(call, .returned, "failed", "\(error.code)", error.message)
    } catch {
      log.record(call, .returned, "failed", "other", "\(error)")
    }
  }

  private func coordinate(
    _ items: [(kind: Access.Item.Kind, path: String, options: UInt)],
    _ coordinator: NSFileCoordinator,
    _ limit: Duration?,
    _ accessor: ([URL]) -> Void
  ) throws {
    let urls = items.map { URL(fileURLWithPath: $0.path) }
    switch items.map(\.kind) {
    case [.read]:
      try coordinator.coordinate(
        readingItemAt: urls[0],
        options: .init(rawValue: items[0].options),
        timeout: limit
      ) { accessor([$0]) }
    case [.write]:
      try coordinator.coordinate(
        writingItemAt: urls[0],
        options: .init(rawValue: items[0].options),
        timeout: limit
      ) { accessor([$0]) }
    default:
      try coordinator.coordinate(
        writingItemAt: urls[0],
        options: .init(rawValue: items[0].options),
        writingItemAt: urls[1],
        options: .init(rawValue: items[1].options),
        timeout: limit
      ) { accessor([$0, $1]) }
    }
  }

  /// What the access excludes, as section 2.1 of the specification puts it.
  private static func mode(
    _ item: (kind: Access.Item.Kind, path: String, options: UInt),
    at path: String
  ) -> String {
    guard item.kind == .write else { return "R" }
    switch item.options {
    case Writing.forDeleting, Writing.forReplacing: return "X"
    case Writing.forMoving:
      // What cannot be looked at is no directory.
      return (try? FileStatus(of: FilePath(path)))?.kind == .directory ? "X" : "W"
    default: return "W"
    }
  }
}
