import CoordinationRuntime
import LinuxSystem
import PresenterLink

/// Asks at somebody's socket without having a runtime directory of one's own.
enum Knock {
  static func at(_ folder: FilePath) throws {
    let directory = try Descriptor.open(folder, [.readOnly, .directory])
    let socket = try UnixSocket.connect(in: directory.number, name: "socket")
    let claim = ClaimID(process: .current, number: 1)
    let ask = AskMessage(
      claim: claim,
      items: [AskedItem(item: FilePath("/f"), access: .writing(0))]
    )
    do {
      try send(.hello(.current), 0, socket)
      try send(.ask(ask), 1, socket)
      while UnixSocket.waitReadable(socket.number, until: .now + .seconds(20)) {
        switch try UnixSocket.receive(from: socket.number) {
        case .packet: return Lines.shared.say("knock: answered")
        case .closed: return Lines.shared.say("knock: hung up on")
        case .nothing: continue
        }
      }
      Lines.shared.say("knock: nothing")
    } catch let error as SystemError where error.code == .pipe {
      Lines.shared.say("knock: hung up on")
    }
  }

  private static func send(
    _ message: LinkMessage,
    _ conversation: UInt32,
    _ socket: borrowing Descriptor
  ) throws {
    let encoded = LinkPacket(conversation: conversation, message: message).encoded()
    try UnixSocket.send(encoded.map { $0.header + $0.body } ?? [], to: socket.number)
  }
}
