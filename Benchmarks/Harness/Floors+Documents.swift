import CBenchmarkFloors

extension Floors {
  /// Saves a file as a careful C program does; nanoseconds.
  ///
  /// - Throws: ``MeasurementError``
  package static func saveFile(_ name: String, in directory: String, _ bytes: [UInt8])
    throws(MeasurementError) -> Double
  {
    let time = unsafe bytes.withUnsafeBytes {
      unsafe cb_save_file(directory, name, $0.baseAddress, $0.count)
    }
    guard time > 0 else { throw MeasurementError("cannot save in \(directory)") }
    return Double(time)
  }

  /// Opens and reads a whole file of a known length; nanoseconds.
  package static func readFile(_ path: String, into space: inout [UInt8])
    throws(MeasurementError) -> Double
  {
    let time = unsafe space.withUnsafeMutableBytes {
      unsafe cb_read_file(path, $0.baseAddress, $0.count)
    }
    guard time > 0 else { throw MeasurementError("cannot read \(path)") }
    return Double(time)
  }

  /// Processor time of the calling thread; nanoseconds.
  package static var threadTime: Double { Double(cb_thread_time()) }
  /// The longest time for which a loop that does nothing was stopped by the machine, within so many
  /// nanoseconds.
  package static func longestPause(within duration: Double) -> Double {
    Double(cb_longest_pause(UInt64(duration)))
  }

  /// Makes a directory with a hard link to every file of another; nanoseconds.
  package static func linkTree(_ from: String, _ to: String) throws(MeasurementError) -> Double {
    let time = unsafe cb_link_tree(from, to)
    guard time > 0 else { throw MeasurementError("cannot link \(from)") }
    return Double(time)
  }
}
