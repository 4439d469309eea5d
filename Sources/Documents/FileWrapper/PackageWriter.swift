import FileCoordination
import Foundation
import LinuxSystem

/// Writes a planned tree to disk, with as little writing as possible.
final class PackageWriter {
  private let options: FileWrapper.WritingOptions
  private let original: FilePath?
  private let target: FilePath
  private let root: PackageRoot
  /// False once the file system, or the kernel, refused to give files a second name.
  private var canLink = true
  /// What is known of the files from now on, once all is written.
  private var findings: [(FileOrigin, FileOrigin.Known)] = []

  init(_ options: FileWrapper.WritingOptions, original: FilePath?, target: FilePath) {
    self.options = options
    self.original = original
    self.target = target
    root = PackageRoot(target)
  }

  private var url: URL { target.url() }
  private var isSynchronized: Bool { !options.isDisjoint(with: [.atomic, .synchronized]) }

  /// Writes the tree.
  func write(_ plan: WritePlan) throws {
    if case .directory = plan.kind {
      try writeDirectory(plan)
    } else {
      try writeFile(plan)
    }
    guard options.contains(.withNameUpdating) else { return }
    for (origin, known) in findings { origin.known = known }
  }

  // MARK: the top

  /// A file always takes its place in one step: what has that name may be a link of an older package.
  private func writeFile(_ plan: WritePlan) throws {
    let swap = ItemSwap(target)
    let made = try swap.makeTemporary(url) { directory, name in
      try self.makeFile(plan, name, directory)
    }
    do throws(SystemError) {
      let found = try exists(target)
      if found == .directory, !options.contains(.atomic) {
        throw SystemError("rename", .isDirectory, on: target.description)
      }
      try swap.putInPlace(made, overDirectory: found == .directory)
      if isSynchronized { try swap.synchronizeDirectory() }
    } catch {
      swap.discard(made)
      throw FileFailure.writing(url, error)
    }
  }

  private func makeFile(_ plan: WritePlan, _ name: FilePath, _ directory: CInt) throws {
    let top = FileOrigin.Known(
      filename: target.lastComponent.map { String(decoding: $0, as: UTF8.self) },
      root: root
    )
    switch plan.kind {
    case .regular(let contents):
      let data = try contents.load(plan.origin.known)
      do throws(SystemError) {
        let status = try writeNew(data, plan.attributes, name, directory)
        note(plan.origin, top, status)
      } catch { throw FileFailure.writing(url, error) }
    case .link(let destination):
      do throws(SystemError) {
        try FileSystem.makeLink(name, to: destination, at: directory)
        note(plan.origin, top, try FileStatus(of: name, at: directory))
      } catch { throw FileFailure.writing(url, error) }
    case .directory: break
    }
  }

  private func writeDirectory(_ plan: WritePlan) throws {
    let swap = ItemSwap(target)
    let place: FilePath
    do throws(SystemError) {
      if options.contains(.atomic) {
        place = try swap.makeTemporaryDirectory()
      } else {
        place = target
        let isPrivate = options.contains(.leavingRootPrivate)
        try FileSystem.makeDirectory(target, mode: isPrivate ? 0o700 : 0o777)
      }
    } catch { throw FileFailure.writing(url, error) }
    do {
      let old = original.flatMap { OpenDirectory($0) }
      let top = FileOrigin.Known(
        filename: target.lastComponent.map { String(decoding: $0, as: UTF8.self) },
        root: root
      )
      let new = try opened(place, nil, place)
      var plan = plan
      if options.contains(.leavingRootPrivate) { plan.attributes.permissions = nil }
      try fill(new, plan, top, from: old)
      if options.contains(.atomic) {
        do throws(SystemError) {
          try swap.putInPlace(place, overDirectory: try exists(target) == .directory)
        } catch { throw FileFailure.writing(url, error) }
      }
      if isSynchronized {
        do throws(SystemError) { try swap.synchronizeDirectory() } catch {
          throw FileFailure.writing(url, error)
        }
      }
    } catch {
      swap.discard(place)
      throw error
    }
  }

  private func exists(_ path: FilePath) throws(SystemError) -> FileStatus.Kind? {
    do throws(SystemError) { return try FileStatus(of: path).kind } catch
      where error.code == .noEntry
    { return nil }
  }

  // MARK: a directory

  private func opened(_ name: FilePath, _ parent: OpenDirectory?, _ path: FilePath) throws
    -> OpenDirectory
  {
    do throws(SystemError) { return try OpenDirectory(opening: name, in: parent, path: path) } catch
    {
      throw FileFailure.writing(path.url(isDirectory: true), error)
    }
  }

  /// Writes what is inside a directory that was just made.
  private func fill(
    _ new: OpenDirectory,
    _ plan: WritePlan,
    _ known: FileOrigin.Known,
    from old: OpenDirectory?
  ) throws {
    guard case .directory(let entries) = plan.kind else { return }
    for entry in entries {
      let place = known.child(Array(entry.name.bytes))
      let path = new.path.appending(entry.name.bytes)
      switch entry.plan.kind {
      case .directory:
        do throws(SystemError) {
          try FileSystem.makeDirectory(entry.name, mode: 0o777, at: new.number)
        } catch { throw FileFailure.writing(path.url(isDirectory: true), error) }
        let inside = try opened(entry.name, new, path)
        try fill(inside, entry.plan, place, from: old?.directory(entry.oldName))
      case .link(let destination):
        do throws(SystemError) {
          try FileSystem.makeLink(entry.name, to: destination, at: new.number)
          if options.contains(.withNameUpdating) {
            note(entry.plan.origin, place, try FileStatus(of: entry.name, at: new.number))
          }
        } catch { throw FileFailure.writing(path.url(), error) }
      case .regular(let contents):
        let status = try writeRegular(contents, entry, new, old)
        note(entry.plan.origin, place, status)
      }
    }
    do throws(SystemError) {
      if let permissions = plan.attributes.permissions {
        try new.descriptor.setPermissions(permissions)
      }
      if isSynchronized { try new.descriptor.synchronize() }
      note(plan.origin, known, try FileStatus(of: new.descriptor))
    } catch { throw FileFailure.writing(new.path.url(isDirectory: true), error) }
  }

  private func note(_ origin: FileOrigin, _ known: FileOrigin.Known, _ status: FileStatus) {
    guard options.contains(.withNameUpdating) else { return }
    var known = known
    known.status = status
    findings.append((origin, known))
  }

  // MARK: a regular file

  private func writeRegular(
    _ contents: LazyContents,
    _ entry: WritePlan.Entry,
    _ new: OpenDirectory,
    _ old: OpenDirectory?
  ) throws -> FileStatus {
    let attributes = entry.plan.attributes
    let path = new.path.appending(entry.name.bytes)
    let known = entry.plan.origin.known
    do throws(SystemError) {
      if let source = unchanged(known, entry.oldName, old) {
        if canLink, attributes.are(source.status), try link(source, entry.name, new) {
          return source.status
        }
        if let status = try copy(source, attributes, entry.name, new) { return status }
      }
    } catch { throw FileFailure.writing(path.url(), error) }
    let data = try contents.load(known)
    do throws(SystemError) {
      return try writeNew(data, attributes, entry.name, new.number)
    } catch { throw FileFailure.writing(path.url(), error) }
  }

  private struct Source {
    let directory: OpenDirectory
    let name: FilePath
    let status: FileStatus
  }

  /// The file in the original that still is what the wrapper was read from, or written to.
  private func unchanged(
    _ known: FileOrigin.Known,
    _ oldName: FilePath,
    _ old: OpenDirectory?
  ) -> Source? {
    guard let original, let status = known.status else { return nil }
    if let old, let now = old.status(of: oldName), now.isUnchanged(since: status) {
      return Source(directory: old, name: oldName, status: now)
    }
    // Its directory may have been put together anew: then it is where it was read.
    guard let path = known.path, path.isInside(original), let parent = path.parent,
      let directory = OpenDirectory(parent), let last = path.lastComponent
    else { return nil }
    let name = FilePath(bytes: last)
    guard let now = directory.status(of: name), now.isUnchanged(since: status) else { return nil }
    return Source(directory: directory, name: name, status: now)
  }

  /// False where this file cannot have another name.
  private func link(_ source: Source, _ name: FilePath, _ new: OpenDirectory) throws(SystemError)
    -> Bool
  {
    do throws(SystemError) {
      try FileSystem.linkEntry(source.name, in: source.directory.number, as: name, in: new.number)
      return true
    } catch {
      switch error.code {
      case .crossDevice, .notSupported, .noSystemCall: canLink = false
      // EPERM: the file system has no links, or fs.protected_hardlinks forbids one to this file.
      case .notPermitted, .permissionDenied, .linkCountFull, .noEntry: break
      default: throw error
      }
      return false
    }
  }

  /// Copies without reading where the file system can; nil if the source is not what it was.
  private func copy(
    _ source: Source,
    _ attributes: WrapperAttributes.Planned,
    _ name: FilePath,
    _ new: OpenDirectory
  ) throws(SystemError) -> FileStatus? {
    let old: Descriptor
    do throws(SystemError) {
      old = try Descriptor.open(
        source.name,
        [.readOnly, .noFollow, .nonBlocking],
        at: source.directory.number
      )
    } catch { return nil }
    guard try FileStatus(of: old).isUnchanged(since: source.status) else { return nil }
    let file = try create(name, new.number)
    do throws(SystemError) { try file.clone(old) } catch {
      // No shared blocks here: the kernel copies them, or they go through us.
      _ = try old.copyContents(to: file) { true }
    }
    old.copyAttributes(to: file)
    guard try FileStatus(of: old).isUnchanged(since: source.status) else {
      try FileSystem.removeFile(name, at: new.number)
      return nil
    }
    let status = try finish(file, attributes)
    try file.close()
    return status
  }

  private func writeNew(
    _ data: Data,
    _ attributes: WrapperAttributes.Planned,
    _ name: FilePath,
    _ directory: CInt
  ) throws(SystemError) -> FileStatus {
    let file = try create(name, directory)
    try file.write(data.bytes)
    let status = try finish(file, attributes)
    // Over some network file systems this is where a failure to write is told.
    try file.close()
    return status
  }

  private func create(_ name: FilePath, _ directory: CInt) throws(SystemError) -> Descriptor {
    try Descriptor.open(
      name,
      [.writeOnly, .create, .exclusive],
      mode: 0o666,
      at: directory
    )
  }

  private func finish(
    _ file: borrowing Descriptor,
    _ attributes: WrapperAttributes.Planned
  ) throws(SystemError) -> FileStatus {
    if let permissions = attributes.permissions { try file.setPermissions(permissions) }
    if let modified = attributes.modified { try file.setModified(modified) }
    if isSynchronized { try file.synchronize() }
    return try FileStatus(of: file)
  }
}

extension WrapperAttributes.Planned {
  /// Whether a file has them.
  fileprivate func are(_ status: FileStatus) -> Bool {
    (permissions ?? status.permissions) == status.permissions
      && (modified ?? status.modified) == status.modified
  }
}
