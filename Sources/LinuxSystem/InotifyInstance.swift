import CLinux
import Glibc

/// An inotify instance of ours: close-on-exec, closed in a forked child, never blocking.
///
/// For one thread at a time.
package struct InotifyInstance: ~Copyable {
  private let descriptor: Descriptor
  /// Readable when records wait; never close it.
  package var number: CInt { descriptor.number }

  /// - Throws: EMFILE when the user has no instance left (fs.inotify.max_user_instances) or the
  ///   process no descriptor.
  /// - SeeAlso: inotify_init1(2)
  package init() throws(SystemError) {
    let number = try systemCall("inotify_init1") { inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC)) }
    var descriptor = Descriptor(owning: number)
    descriptor.closeInForkedChild()
    self.descriptor = descriptor
  }

  /// Watches the object that `descriptor` is open on, under whatever name it has now.
  ///
  /// Two calls for one object give the same number.
  /// - Throws: ENOSPC when the user has no watch left (fs.inotify.max_user_watches), EACCES when it
  ///   may not be read.
  /// - SeeAlso: inotify_add_watch(2)
  package borrowing func add(_ descriptor: CInt, _ mask: InotifyMask) throws(SystemError) -> Int32 {
    let number = number
    return try systemCall("inotify_add_watch") {
      unsafe inotify_add_watch(number, "/proc/self/fd/\(descriptor)", mask.rawValue)
    }
  }

  /// Watches the calling thread's working directory; see ``ThreadDirectory``.
  package borrowing func addWorkingDirectory(_ mask: InotifyMask) throws(SystemError) -> Int32 {
    let number = number
    return try systemCall("inotify_add_watch") {
      unsafe inotify_add_watch(number, ".", mask.rawValue)
    }
  }

  /// Ends a watch.
  ///
  /// One that ended by itself already is no error: its record is on the way.
  package borrowing func remove(_ watch: Int32) {
    Self.remove(watch, from: number)
  }

  /// Ends a watch of an instance that somebody else owns.
  ///
  /// - SeeAlso: inotify_rm_watch(2)
  package static func remove(_ watch: Int32, from instance: CInt) {
    _ = inotify_rm_watch(instance, watch)
  }

  /// Appends what one read gives; appends nothing when the queue is empty.
  ///
  /// Never waits.
  ///
  /// - SeeAlso: read(2)
  package borrowing func read(into records: inout [InotifyRecord]) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 8) { buffer in
      let got = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
      // EAGAIN is an empty queue; EINTR comes again with the next wait.
      guard got > 0 else { return }
      unsafe InotifyRecord.parse(UnsafeRawBufferPointer(rebasing: buffer[..<got]), into: &records)
    }
  }
}
