import CLinux
import Glibc

/// A SOCK_SEQPACKET socket in the file system: whole packets, in order, with descriptors beside them.
package enum UnixSocket {
  /// The largest packet that is sent or taken, in bytes.
  package static let packetLimit = 64 * 1024

  /// Makes a socket that listens under `name` in the open directory.
  ///
  /// Bound through /proc/self/fd so that a long directory path does not count towards the 108 bytes.
  /// - SeeAlso: unix(7)
  package static func listen(in directory: CInt, name: String) throws(SystemError) -> Descriptor {
    let socket = try make()
    let number = socket.number
    try unsafe withAddress(directory, name) { address, length throws(SystemError) in
      _ = try systemCall("bind") { unsafe bind(number, address, length) }
    }
    _ = try systemCall("listen") { Glibc.listen(number, 128) }
    return socket
  }

  /// Two connected sockets, close-on-exec; they end with their last owner.
  ///
  /// - SeeAlso: socketpair(2)
  package static func pair() throws(SystemError) -> (SharedDescriptor, SharedDescriptor) {
    var ends: [CInt] = [-1, -1]
    _ = try systemCall("socketpair") { unsafe cl_packet_pair(&ends) }
    return (
      SharedDescriptor(Descriptor(owning: ends[0])), SharedDescriptor(Descriptor(owning: ends[1]))
    )
  }

  /// Connects to the socket `name` in the open directory.
  ///
  /// Never waits: a full backlog is EAGAIN.
  ///
  /// - SeeAlso: connect(2)
  package static func connect(in directory: CInt, name: String) throws(SystemError) -> Descriptor {
    let socket = try make()
    let number = socket.number
    try unsafe withAddress(directory, name) { address, length throws(SystemError) in
      _ = try systemCall("connect") { unsafe Glibc.connect(number, address, length) }
    }
    return socket
  }

  /// The next connection, or nil where none waits.
  ///
  /// - SeeAlso: accept4(2)
  package static func accept(_ listener: CInt) throws(SystemError) -> CInt? {
    do throws(SystemError) {
      return try systemCall("accept4") { cl_accept(listener) }
    } catch  where error.code == .again || error.code.rawValue == ECONNABORTED {
      return nil
    }
  }

  /// Sends one packet.
  ///
  /// Never blocks: a full queue is EAGAIN; a peer that is gone is EPIPE.
  ///
  /// - SeeAlso: sendmsg(2)
  package static func send(_ packet: [UInt8], descriptors: [CInt] = [], to socket: CInt)
    throws(SystemError)
  {
    _ = try systemCall("sendmsg") {
      unsafe packet.withUnsafeBytes { bytes in
        unsafe descriptors.withUnsafeBufferPointer {
          unsafe cl_send_packet(
            socket,
            bytes.baseAddress,
            bytes.count,
            $0.baseAddress,
            CInt($0.count)
          )
        }
      }
    }
  }

  /// What came over a socket.
  package enum Received: ~Copyable {
    case packet([UInt8], descriptors: [CInt])
    /// Nothing waits to be read.
    case nothing
    /// The other side closed, or died.
    case closed
  }

  /// Takes the next packet without waiting.
  ///
  /// The caller owns the descriptors.
  ///
  /// - Throws: EMSGSIZE for a packet longer than ``packetLimit``.
  /// - SeeAlso: recvmsg(2)
  package static func receive(from socket: CInt) throws(SystemError) -> Received {
    do throws(SystemError) {
      return try receiveOnce(from: socket)
    } catch  where error.code == .connectionReset {
      // The other side closed without reading all we sent. That is said once, ahead of the packets
      // that it sent before: they still count.
      return try receiveOnce(from: socket)
    }
  }

  private static func receiveOnce(from socket: CInt) throws(SystemError) -> Received {
    var numbers = [CInt](repeating: -1, count: 64)
    var count: CInt = 0
    var got = 0
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: packetLimit) { buffer, filled in
      do throws(SystemError) {
        got = try systemCall("recvmsg") {
          unsafe cl_receive_packet(
            socket,
            buffer.baseAddress,
            buffer.count,
            &numbers,
            64,
            &count,
            false
          )
        }
        filled = got
      } catch { failure = error }
    }
    if let failure {
      if failure.code == .again { return .nothing }
      throw failure
    }
    if got == 0, count == 0 { return .closed }
    return .packet(bytes, descriptors: Array(numbers.prefix(Int(count))))
  }

  /// Blocks the calling thread until the socket is readable or hung up; false: `deadline` passed.
  ///
  /// May return true early without cause.
  /// - SeeAlso: ppoll(2)
  package static func waitReadable(_ socket: CInt, until deadline: MonotonicInstant?) -> Bool {
    var limit = UInt64.max
    if let deadline {
      let now = MonotonicInstant.now
      limit = deadline > now ? deadline.nanoseconds - now.nanoseconds : 0
    }
    var set = [pollfd(fd: socket, events: Int16(POLLIN), revents: 0)]
    return unsafe cl_poll(&set, 1, limit) != 0
  }

  /// Ends both directions, though other owners keep the descriptor: the peer sees the end.
  ///
  /// - SeeAlso: shutdown(2)
  package static func shutDown(_ socket: CInt) {
    // A peer that is gone already needs no word.
    _ = shutdown(socket, CInt(SHUT_RDWR))
  }

  /// Who is at the other end, as the kernel recorded it when the connection was made.
  ///
  /// - SeeAlso: unix(7) SO_PEERCRED
  package static func credentials(of socket: CInt) throws(SystemError) -> (pid: Int32, uid: UInt32)
  {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    _ = try systemCall("getsockopt") { unsafe cl_peer_credentials(socket, &pid, &uid) }
    return (pid, uid)
  }

  private static func make() throws(SystemError) -> Descriptor {
    var socket = Descriptor(owning: try systemCall("socket") { cl_packet_socket() })
    socket.closeInForkedChild()
    return socket
  }

  private static func withAddress(
    _ directory: CInt,
    _ name: String,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
  ) throws(SystemError) {
    let path = Array("/proc/self/fd/\(directory)/\(name)".utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.count < 108 else { throw SystemError("bind", ENAMETOOLONG, on: name) }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    var failure: SystemError?
    unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        do throws(SystemError) {
          try unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }
}
