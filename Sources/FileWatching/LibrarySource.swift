#if InotifyTools
import InotifyTools
import LinuxSystem

/// Records that come through libinotifytools.
final class LibrarySource: ChangeSource {
  /// Not checked when the program runs, as in `Engine`.
  @exclusivity(unchecked) private var library: InotifyTools
  let number: CInt

  /// Nil when the library cannot be had: it is in use in this process, or unusable in it.
  init?() throws(SystemError) {
    guard let library = try InotifyTools(ownsThread: true) else { return nil }
    number = library.number
    self.library = library
  }

  func add(_ descriptor: CInt, isDirectory: Bool, _ mask: InotifyMask) throws(SystemError)
    -> Int32
  {
    try library.add(descriptor, isDirectory: isDirectory, mask)
  }
  func remove(_ watch: Int32) { library.remove(watch) }
  func forget(_ watch: Int32) { library.forget(watch) }
  func rest() { library.rest() }
  func read(into records: inout [InotifyRecord]) { library.read(into: &records, limit: 512) }
}
#endif
