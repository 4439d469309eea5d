import CoordinationRuntime
package import LinuxSystem
import struct Synchronization.Atomic

/// Names of the new contents while they are written beside the old: `.sb-` and eight hex digits.
///
/// Short and independent of the item's own name, which may be as long as the file system allows. The
/// digits say which process writes (22 bits), where and since which start of the machine it runs
/// (5 bits of a hash), and which of its saves it is (5 bits): what a crash left behind can be told.
package enum TemporaryName {
  static let prefix = Array(".sb-".utf8)
  /// What another machine or container may still be writing is left alone for so long, in seconds.
  static let patience = 3600
  private static let next = Atomic<UInt32>(0)

  /// A name in `directory` that nothing has.
  package static func fresh(in directory: FilePath) throws(SystemError) -> FilePath {
    let process = UInt32(bitPattern: ProcessIdentity.ownNumber) & 0x3f_ffff
    for _ in 0..<64 {
      let number = next.add(1, ordering: .relaxed).newValue & 31
      let digits = String(process << 10 | surroundings << 5 | number, radix: 16)
      let name = String(repeating: "0", count: 8 - digits.count) + digits
      let path = directory.appending(prefix + Array(name.utf8))
      do throws(SystemError) { _ = try FileStatus(of: path) } catch  where error.code == .noEntry {
        return path
      }
    }
    throw SystemError("openat", .alreadyExists).about(directory)
  }

  /// Where and since when this process runs, in 5 bits.
  private static let surroundings: UInt32 = {
    // Without /proc every process looks as if it ran elsewhere, and only old leftovers are removed.
    let boot = (try? FileSystem.readLink(FilePath("/proc/self/ns/pid")).bytes) ?? []
    var hash: UInt32 = 0x811c_9dc5
    for byte in Array(boot) + bootIdentifier { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return (hash ^ hash >> 15) & 31
  }()

  private static var bootIdentifier: [UInt8] {
    guard let file = try? Descriptor.open(FilePath("/proc/sys/kernel/random/boot_id"), .readOnly),
      let bytes = try? file.read(upTo: 64)  // as above
    else { return [] }
    return bytes
  }

  /// Whether a name is that of new contents whose writer is gone.
  static func isStale(_ name: [UInt8], in directory: FilePath) -> Bool {
    guard name.count == prefix.count + 8, name.starts(with: prefix),
      let value = UInt32(String(decoding: name.dropFirst(prefix.count), as: UTF8.self), radix: 16)
    else { return false }
    if value >> 5 & 31 == surroundings {
      let process = Int32(bitPattern: value >> 10)
      return ProcessIdentity(of: process) == nil
    }
    // What cannot be looked at is not removed either.
    guard let status = try? FileStatus(of: directory.appending(name)) else { return false }
    return status.changed.seconds + patience < WallClock.seconds
  }
}

/// Removes what saves that were cut short left behind.
package enum StaleTemporaries {
  private static let looked = PerProcess<[FilePath: UInt64]>([:])

  /// Cleans a directory, unless this process did so within the last ten seconds.
  ///
  /// Reads the directory once. What cannot be removed stays and harms nobody: no later save has to
  /// have its name.
  package static func clean(_ directory: FilePath) {
    let now = MonotonicInstant.now.nanoseconds
    let isDue = looked.withLock { looked in
      if let last = looked[directory], now - last < 10_000_000_000 { return false }
      if looked.count > 1000 { looked = [:] }
      looked[directory] = now
      return true
    }
    guard isDue, let names = try? FileSystem.list(directory) else { return }
    for name in names where TemporaryName.isStale(name, in: directory) {
      try? FileSystem.removeTree(directory.appending(name))  // see above
    }
  }
}
