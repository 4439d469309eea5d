import FileCoordination
import Foundation
import LinuxSystem
import PeerScript

extension Script {
  func runFiles(_ step: Step) throws {
    switch step {
    case .put(let path, let text):
      let file = try Descriptor.open(
        try resolve(path),
        [.writeOnly, .create, .truncate],
        mode: 0o666
      )
      try file.write(Array(text.utf8))
    case .append(let path, let text):
      let file = try Descriptor.open(
        try resolve(path),
        [.writeOnly, .create, .append],
        mode: 0o666
      )
      try file.write(Array(text.utf8))
    case .get(let path):
      let file = try Descriptor.open(try resolve(path), .readOnly)
      emit("text", String(decoding: try file.readToEnd(), as: UTF8.self))
    case .delete(let path): try FileSystem.removeTree(try resolve(path))
    case .makeDirectory(let path): try FileSystem.makeDirectory(try resolve(path), mode: 0o777)
    case .move(let path, let target, let announced):
      let old = try resolve(path)
      try FileSystem.rename(old, to: FilePath(target))
      guard announced else { return }
      guard let coordinator else { throw NotPossible("a move outside an access") }
      coordinator.coordinator.item(
        at: URL(fileURLWithPath: old.description),
        didMoveTo: URL(fileURLWithPath: target)
      )
    case .increment(let path):
      let path = try resolve(path)
      let text = String(
        decoding: try Descriptor.open(path, .readOnly).readToEnd(),
        as: UTF8.self
      )
      guard let value = Int(text) else { throw NotPossible("not a number: \(text)") }
      let file = try Descriptor.open(path, [.writeOnly, .truncate])
      try file.write(Array("\(value + 1)".utf8))
    case .exists(let path):
      let path = try resolve(path)
      // Whatever the reason, the script cannot see it.
      emit("exists", (try? FileStatus(of: path)) == nil ? "no" : "yes")
    case .fill(let path, let text, let count):
      let file = try Descriptor.open(try resolve(path), [.writeOnly, .create], mode: 0o666)
      for _ in 0..<count { try file.write(Array(text.utf8)) }
    case .checkFill(let path):
      let bytes = try Descriptor.open(try resolve(path), .readOnly).readToEnd()
      if Set(bytes).count > 1 { emit("mixed", "\(Set(bytes))") }
    default: throw NotPossible("\(step)")
    }
  }

  /// "" is the accessor's first URL, "2" its second, "/…" a path, anything else is below the first.
  private func resolve(_ path: String) throws -> FilePath {
    if path.hasPrefix("/") { return FilePath(path) }
    let index = path == "2" ? 1 : 0
    guard urls.count > index else { throw NotPossible("no URL for '\(path)'") }
    let base = FilePath(urls[index].path)
    return path.isEmpty || path == "2" ? base : base.appending(path)
  }
}
