import Foundation
import LinuxSystem

/// Puts a new item in the place of an old one, in one step.
struct ItemSwap {
  private let target: FilePath
  private let parent: FilePath

  init(_ target: FilePath) {
    self.target = target
    parent = target.parent ?? FilePath(".")
  }

  private func temporaryName() -> FilePath {
    let digits = String(UInt32.random(in: 0...UInt32.max), radix: 16)
    return parent.appending(
      ".sb-" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
    )
  }

  /// Makes an empty directory beside the target.
  func makeTemporaryDirectory() throws(SystemError) -> FilePath {
    while true {
      let name = temporaryName()
      do throws(SystemError) {
        try FileSystem.makeDirectory(name, mode: 0o777)
        return name
      } catch  where error.code == .alreadyExists { continue }
    }
  }

  /// Has `body` make something beside the target, under a name that is free.
  func makeTemporary(_ url: URL, _ body: (CInt, FilePath) throws -> Void) throws -> FilePath {
    let name = temporaryName()
    guard let last = name.lastComponent else { return name }
    let directory: Descriptor
    do throws(SystemError) {
      directory = try Descriptor.open(parent, [.pathOnly, .directory])
    } catch {
      throw FileFailure.writing(url, error)
    }
    do { try body(directory.number, FilePath(bytes: last)) } catch {
      discard(name)
      throw error
    }
    return name
  }

  /// Gives `made` the target's name; what had it is removed.
  func putInPlace(_ made: FilePath, overDirectory: Bool) throws(SystemError) {
    let madeIsDirectory = try FileStatus(of: made).kind == .directory
    if !madeIsDirectory, !overDirectory {
      try FileSystem.rename(made, to: target)
      return
    }
    do throws(SystemError) {
      try FileSystem.rename(made, to: target, .noReplace)
      return
    } catch  where error.code == .alreadyExists {
      // Exchanged below.
    } catch  where error.isUnknownOption {
      try putInPlaceByStages(made)
      return
    }
    do throws(SystemError) {
      try FileSystem.rename(made, to: target, .exchange)
    } catch  where error.isUnknownOption {
      try putInPlaceByStages(made)
      return
    }
    discard(made)
  }

  /// For file systems that know no exchange: the old item goes aside, and comes back on failure.
  private func putInPlaceByStages(_ made: FilePath) throws(SystemError) {
    let aside = temporaryName()
    var hasOld = true
    do throws(SystemError) { try FileSystem.rename(target, to: aside) } catch
      where error.code == .noEntry
    { hasOld = false }
    do throws(SystemError) { try FileSystem.rename(made, to: target) } catch {
      if hasOld { try FileSystem.rename(aside, to: target) }
      throw error
    }
    if hasOld { discard(aside) }
  }

  /// Removes what is left over, as far as that goes.
  func discard(_ path: FilePath) {
    // The item itself is right; a leftover that cannot be removed must not make it fail.
    do throws(SystemError) { try FileSystem.removeTree(path) } catch { return }
  }

  func synchronizeDirectory() throws(SystemError) {
    try Descriptor.open(parent, [.readOnly, .directory]).synchronize()
  }
}

extension SystemError {
  /// Whether the file system does not know the way of renaming that was asked for.
  fileprivate var isUnknownOption: Bool {
    [.invalid, .noSystemCall, .notSupported].contains(code)
  }
}
