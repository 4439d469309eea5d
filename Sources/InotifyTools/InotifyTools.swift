#if InotifyTools
import CInotifyTools
package import LinuxSystem
import Synchronization

/// libinotifytools, owned by one thread.
///
/// The library keeps one state per process, unsynchronised. This wrapper is the only caller, and
/// contains what was found to go wrong with it (3.22.6; the numbers are those of docs/decisions):
/// 1. one global state: a lease, so that there is one owner at a time;
/// 2. exported names like `initialized`: a host that has them is noticed, because no watch works
///    then, and the lease is refused;
/// 3. select(2) on descriptors above 1023 aborts: such an instance is given back at once;
/// 4. no close-on-exec: set on the descriptor, which is found by what it watches;
/// 5. a forked child would eat the parent's records: the descriptor is closed there;
/// 6. `num_events` above 1 spins: always 1;
/// 7. a timeout of 0 in `next_event` waits for ever, and timeouts are whole seconds: only
///    `next_events(0, 1)` is called, and waiting is done by ppoll(2) on the descriptor;
/// 8. `watch_recursively` skips directories: never called, the walk is ours;
/// 9. records of dead watches are kept: dropped with ``forget(_:)``;
/// 10. a path that was made again answers with its dead watch: every spelling is used once;
/// 11. watching an object twice replaces the mask and leaks: callers pass `IN_MASK_ADD` or the
///     union, and the second record is dropped;
/// 12. `set_filename_by_wd`, `replace_filename` break its trees: never called;
/// 13. buffered records survive cleanup: drained before it;
/// 14. messages on standard error: calls that print are not made on what is known to be gone;
/// 15. `get_max_queued_events` is always -1: /proc is read instead;
/// 16. overflow is a record like others: passed on;
/// 17. results are static storage: copied before the next call;
/// 18. directories are stored with a slash at the end: spelled so from the start;
/// 19. regular expressions jump: never set.
package struct InotifyTools: ~Copyable {
  /// Readable when records wait; the library owns it.
  package let number: CInt
  private var uses: UInt64 = 0
  /// Where the owner's thread goes to watch a directory.
  private var place: ThreadDirectory?

  private static let isLeased = Atomic<Bool>(false)

  /// Starts the library; nil when this process uses it already or it cannot work here.
  ///
  /// With `ownsThread` the calling thread is its only user, to the end: it gets a working directory
  /// of its own, which makes adding directories twice as fast.
  /// - Throws: EMFILE when the user has no instance left or the process no descriptor.
  package init?(ownsThread: Bool = false) throws(SystemError) {
    guard ForkGeneration.current == 0,
      Self.isLeased.compareExchange(
        expected: false,
        desired: true,
        ordering: .acquiringAndReleasing
      ).exchanged
    else { return nil }
    do throws(SystemError) {
      guard let number = try Self.start() else {
        Self.isLeased.store(false, ordering: .releasing)
        return nil
      }
      self.number = number
      place = ownsThread ? ThreadDirectory() : nil
    } catch {
      Self.isLeased.store(false, ordering: .releasing)
      throw error
    }
  }

  deinit {
    // After a fork the instance is the parent's, and was closed here.
    guard ForkGeneration.current == 0 else { return }
    while unsafe inotifytools_next_events(0, 1) != nil {}
    DescriptorNumber.keepInForkedChild(number)
    inotifytools_cleanup()
    Self.isLeased.store(false, ordering: .releasing)
  }

  /// Watches the object that `descriptor` is open on.
  ///
  /// - Throws: ENOSPC when the user has no watch left, EACCES when it may not be read.
  package mutating func add(
    _ descriptor: CInt,
    isDirectory: Bool,
    _ mask: InotifyMask
  ) throws(SystemError) -> Int32 {
    uses += 1
    let spelling =
      isDirectory && place?.enter(descriptor) == true
      ? Self.spelling(of: nil, isDirectory: true, use: uses)
      : Self.spelling(of: descriptor, isDirectory: isDirectory, use: uses)
    guard unsafe inotifytools_watch_file(spelling, CInt(bitPattern: mask.rawValue)) == 1 else {
      throw SystemError("inotify_add_watch", Errno(rawValue: inotifytools_error()))
    }
    let watch = unsafe inotifytools_wd_from_filename(spelling)
    unsafe cit_forget_duplicate(spelling, watch)
    return watch
  }

  /// Ends a watch.
  ///
  /// One that ended by itself already is no error.
  package borrowing func remove(_ watch: Int32) {
    // Not through the library, which prints when the kernel was faster.
    InotifyInstance.remove(watch, from: number)
    cit_forget(watch)
  }

  /// Leaves the directory that was watched last.
  package mutating func rest() { place?.leave() }

  /// Drops the library's record of a watch that ended by itself.
  package borrowing func forget(_ watch: Int32) { cit_forget(watch) }

  /// Appends the next records, `limit` at most; appends nothing when the queue is empty.
  package borrowing func read(into records: inout [InotifyRecord], limit: Int) {
    for _ in 0..<limit {
      guard let event = unsafe inotifytools_next_events(0, 1) else { return }
      let length = unsafe Int(event.pointee.len)
      let name = unsafe UnsafeRawBufferPointer(
        start: UnsafeRawPointer(event) + MemoryLayout<inotify_event>.size,
        count: length
      )
      let watch = unsafe event.pointee.wd
      unsafe records.append(
        InotifyRecord(
          watch: watch,
          mask: InotifyMask(rawValue: event.pointee.mask),
          cookie: event.pointee.cookie,
          name: Self.name(name, after: records.last, watch)
        )
      )
    }
  }

  /// The name without the NULs behind it; the same array as before for one file's records in a row.
  private static func name(
    _ bytes: UnsafeRawBufferPointer,
    after last: InotifyRecord?,
    _ watch: Int32
  ) -> [UInt8] {
    let count = unsafe bytes.firstIndex(of: 0) ?? bytes.count
    let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
    if let last, last.watch == watch, unsafe last.name.elementsEqual(name) { return last.name }
    return unsafe Array(name)
  }

  /// How many watches the library has on record, dead ones included.
  package static var watchesOnRecord: Int { Int(inotifytools_get_num_watches()) }

  /// A path to an open object, or to the working directory, that was never used before: the number is
  /// written into it in dots.
  ///
  /// Ends in a NUL.
  static func spelling(of descriptor: CInt?, isDirectory: Bool, use: UInt64) -> [CChar] {
    let (slash, dot) = (CChar(bitPattern: 0x2f), CChar(bitPattern: 0x2e))
    var bytes: [CChar] = []
    bytes.reserveCapacity(160)
    // In front of an absolute path, behind a relative one.
    if descriptor == nil { bytes.append(dot) }
    var rest = use
    while rest > 0 {
      bytes.append(slash)
      if rest & 1 == 1 { bytes.append(dot) }
      rest >>= 1
    }
    if let descriptor {
      bytes += "/proc/self/fd/\(descriptor)".utf8.map { CChar(bitPattern: $0) }
    }
    if isDirectory { bytes.append(slash) }
    bytes.append(0)
    return bytes
  }

  /// Initialises, finds the descriptor and makes it ours; nil when the library is unusable here.
  private static func start() throws(SystemError) -> CInt? {
    guard inotifytools_initialize() == 1 else {
      throw SystemError("inotify_init", Errno(rawValue: inotifytools_error()))
    }
    // A pipe has an inode of its own: the instance that watches nothing else is the library's.
    let (probe, _) = try Descriptor.pipe()
    let inode = try probe.with { end throws(SystemError) in try FileStatus(of: end).inode }
    let spelling = spelling(of: probe.number, isDirectory: false, use: 0)
    guard unsafe inotifytools_watch_file(spelling, CInt(IN_ATTRIB)) == 1,
      let number = InotifyLimits.instance(watchingOnly: inode), number < 1024
    else {
      // Nothing is buffered yet: nothing was read.
      inotifytools_cleanup()
      return nil
    }
    DescriptorNumber.closeOnExec(number)
    DescriptorNumber.closeInForkedChild(number)
    let watch = unsafe inotifytools_wd_from_filename(spelling)
    InotifyInstance.remove(watch, from: number)
    cit_forget(watch)
    return number
  }
}
#endif
