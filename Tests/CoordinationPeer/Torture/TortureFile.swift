import Foundation
import LinuxSystem
import PeerScript
import struct Synchronization.Atomic

/// A file of the torture test: who it is, and a number that only grows.
///
/// Fixed width, written with one write(2) in place: a member that is killed leaves the old or the new
/// number.
struct TortureFile {
  let identity: String
  let value: Int

  /// What is in the file; nil where there is none, or an empty one that was being made.
  init?(_ path: FilePath) {
    // Missing, moved away, or its directory was: all the same to the test.
    guard let file = try? Descriptor.open(path, .readOnly), let bytes = try? file.readToEnd()
    else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count == 2, let value = Int(words[1]) else { return nil }
    identity = String(words[0])
    self.value = value
  }

  init(identity: String, value: Int) {
    self.identity = identity
    self.value = value
  }

  /// A file that a call makes; it may make several.
  static func new(_ call: String) -> TortureFile {
    let number = made.add(1, ordering: .relaxed).oldValue
    return TortureFile(identity: "\(call.replacing("/", with: ":")):\(number)", value: 0)
  }
  private static let made = Atomic<Int>(0)

  var next: TortureFile { TortureFile(identity: identity, value: value + 1) }

  func write(to path: FilePath) throws {
    let number = String(value)
    let padded = String(repeating: "0", count: 12 - number.count) + number
    let file = try Descriptor.open(path, [.writeOnly, .create], mode: 0o600)
    try file.write(Array("\(identity) \(padded)".utf8))
  }

  var words: [String] { [identity, String(value)] }
}
