import CLinux
import Glibc

/// Runs one system call and turns -1 into an error.
///
/// `body` is exactly one C call, so that nothing can change errno before it is read here.
/// - Throws: ``SystemError`` that names `call`. `EINTR` is retried unless `retrying` is false.
@inline(__always)
func systemCall<R: FixedWidthInteger>(
  _ call: StaticString,
  on path: @autoclosure () -> FilePath? = nil,
  retrying: Bool = true,
  _ body: () -> R
) throws(SystemError) -> R {
  while true {
    let result: R
    if let forced = SystemCallFaults.next(for: call) {
      let failure = SystemError(call, forced)
      if forced == EINTR, retrying { continue }
      throw path().map(failure.about) ?? failure
    }
    result = body()
    if result != -1 { return result }
    let code = cl_errno()
    if code == EINTR, retrying { continue }
    let failure = SystemError(call, code)
    throw path().map(failure.about) ?? failure
  }
}
