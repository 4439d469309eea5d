package import LinuxSystem

/// Where kernel records come from.
///
/// Used by one thread: the monitor's.
package protocol ChangeSource: AnyObject {
  /// Readable when records wait.
  var number: CInt { get }

  /// Watches the object that `descriptor` is open on; the same number for the same object.
  ///
  /// - Throws: ENOSPC when the user has no watch left, EACCES when it may not be read.
  func add(_ descriptor: CInt, isDirectory: Bool, _ mask: InotifyMask) throws(SystemError) -> Int32

  /// Ends a watch; no error when it ended by itself.
  func remove(_ watch: Int32)

  /// Told of a watch that ended by itself.
  func forget(_ watch: Int32)

  /// Appends records that wait, some at a time; appends nothing when none waits. Never waits itself.
  func read(into records: inout [InotifyRecord])

  /// Lets go of the directory that was watched last.
  func rest()
}

/// Records read from inotify(7) directly.
final class KernelSource: ChangeSource {
  private let instance: InotifyInstance
  private var place = ThreadDirectory()
  var number: CInt { instance.number }

  init() throws(SystemError) { instance = try InotifyInstance() }

  func add(_ descriptor: CInt, isDirectory: Bool, _ mask: InotifyMask) throws(SystemError)
    -> Int32
  {
    if isDirectory, place?.enter(descriptor) == true {
      return try instance.addWorkingDirectory(mask)
    }
    return try instance.add(descriptor, mask)
  }
  func rest() { place?.leave() }
  func remove(_ watch: Int32) { instance.remove(watch) }
  func forget(_ watch: Int32) {}
  func read(into records: inout [InotifyRecord]) { instance.read(into: &records) }
}
