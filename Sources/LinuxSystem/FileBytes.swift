import Glibc

/// The first bytes of a file in memory of their own, which was not cleared before.
///
/// Clearing and reading would touch a long file's memory twice.
@safe package struct FileBytes {
  /// From malloc(3): whoever takes it frees it.
  package let start: UnsafeMutableRawPointer
  package let count: Int

  /// Reads `length` bytes, or fewer where the file ends before.
  ///
  /// - SeeAlso: pread(2)
  package init(of file: borrowing Descriptor, upTo length: Int) throws(SystemError) {
    guard let memory = unsafe malloc(max(length, 1)) else {
      throw SystemError("malloc", .noMemory)
    }
    let number = file.number
    var done = 0
    do throws(SystemError) {
      while done < length {
        let (from, rest) = (done, length - done)
        let count = try systemCall("pread") {
          unsafe pread(number, memory + from, rest, off_t(from))
        }
        if count == 0 { break }
        done += count
      }
    } catch {
      unsafe free(memory)
      throw error
    }
    unsafe start = memory
    count = done
  }
}
