import CBenchmarkFloors
import Glibc
import LinuxSystem

/// What the kernel and the C library can do at best, measured in C.
package enum Floors {
  /// Names of the locks that are built in.
  package static var backends: [String] {
    (0..<cb_backend_count()).map { unsafe String(cString: cb_backend_name($0)) }
  }

  /// Is a worker process over a built-in lock; arguments as in `lock_worker.h`.
  ///
  /// Blocks until the run is over. Returns an exit status.
  package static func work(_ arguments: [String]) -> Int32 {
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([""] + arguments).map { unsafe strdup($0) }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    let count = CInt(arguments.count + 1)
    return unsafe words.withUnsafeBufferPointer { unsafe cb_worker(count, $0.baseAddress) }
  }

  /// Opens, locks, unlocks and closes a lock file `pairs` times; nanoseconds for one.
  ///
  /// - Throws: ``MeasurementError``
  package static func openLockPair(_ path: String, exclusive: Bool, pairs: Int)
    throws(MeasurementError) -> Double
  {
    let total = unsafe cb_open_lock_pairs(path, exclusive, pairs)
    guard total > 0 else { throw MeasurementError("cannot lock \(path)") }
    return Double(total) / Double(pairs)
  }

  /// Starts a thread that sends back what comes over the socket `path`.
  package static func startEcho(_ path: String) throws(MeasurementError) {
    guard unsafe cb_echo_start(path) == 0 else {
      throw MeasurementError("cannot listen at \(path)")
    }
  }

  /// A connection to a socket that sends everything back.
  package struct Echo: ~Copyable {
    private let connection: Descriptor

    package init(_ path: String) throws(MeasurementError) {
      let number = unsafe cb_echo_connect(path)
      guard number >= 0 else { throw MeasurementError("cannot connect to \(path)") }
      connection = Descriptor(owning: number)
    }

    /// Sends 64 bytes and waits for them; nanoseconds.
    package borrowing func roundTrip() throws(MeasurementError) -> UInt64 {
      let time = cb_echo_round_trip(connection.number)
      guard time > 0 else { throw MeasurementError("the peer of the round trip is gone") }
      return time
    }
  }

  /// Bytes that malloc has handed out in this process.
  package static var heapInUse: Int { Int(cb_heap_in_use()) }
  /// Sets the soft limit of open descriptors of this process.
  package static func limitDescriptors(to limit: Int) throws(MeasurementError) {
    guard cb_limit_descriptors(UInt64(limit)) == 0 else {
      throw MeasurementError("cannot limit descriptors to \(limit)")
    }
  }
  /// Has the kernel kill this process when its parent dies.
  package static func dieWithParent() { cb_die_with_parent() }
  /// Sleeps in the kernel, so many nanoseconds and the default timer slack.
  package static func sleep(nanoseconds: UInt64) { cb_sleep(nanoseconds) }
}

/// Why a figure could not be had.
package struct MeasurementError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
