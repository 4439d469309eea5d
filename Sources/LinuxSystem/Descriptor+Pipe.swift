import CLinux

extension Descriptor {
  /// The two ends of a pipe, close-on-exec; an end closes when its last owner lets go.
  ///
  /// - SeeAlso: pipe2(2)
  package static func pipe() throws(SystemError) -> (
    reading: SharedDescriptor, writing: SharedDescriptor
  ) {
    var ends: [CInt] = [-1, -1]
    _ = try systemCall("pipe2") { unsafe cl_pipe(&ends) }
    return (
      SharedDescriptor(Descriptor(owning: ends[0])), SharedDescriptor(Descriptor(owning: ends[1]))
    )
  }
}
