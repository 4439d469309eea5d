import CoordinationRuntime
import Documents
import Foundation
import LinuxSystem

/// An editor of the demo: takes orders, carries them out at its desk, and tells what happens.
///
/// A program with a main loop of its own: what documents run on the main thread is handed to it.
final class DemoEditor: Sendable {
  private let name: String
  private let output: Output
  private let point: WaitPoint
  private let untold = Mutex<[DemoMessage]>([])

  init(_ name: String, _ output: Output) throws {
    self.name = name
    self.output = output
    point = try WaitPoint()
  }

  func wake() { point.wake() }

  /// Puts an event on the timeline; never blocks, so that any thread may call it under any lock.
  func note(_ event: String, at time: MonotonicInstant = .now) {
    untold.withLock { $0.append(DemoMessage(time: time.nanoseconds, event: event)) }
  }

  func run(_ desk: any DemoDesk, _ interruption: Interruption) throws {
    CoordinationTrace.install { [weak self] event in
      // What a message says shows in what follows from it.
      if event.kind.isDetail || event.kind == .message { return }
      let text = event.text.isEmpty ? "" : " \(event.text)"
      self?.note("\(event.kind)\(text)", at: event.time)
    }
    defer { CoordinationTrace.install(nil) }
    MainLoopHook.install { [point] work in point.post(work) }
    defer { MainLoopHook.uninstall() }
    desk.open()
    defer { desk.close() }
    var reader = OrderReader()
    var orders: [DemoOrder] = [.ready]
    var edits = 0
    while interruption.signal == nil {
      while let order = orders.first, try carryOut(order, at: desk, &edits) {
        orders.removeFirst()
      }
      try flush()
      let isReadable = !point.wait(until: nil, alsoReadable: [0]).isEmpty
      for work in point.takeWork() { work() }
      UndoManager.endCurrentEvent()
      if isReadable {
        guard let received = try reader.next() else { return }
        orders += received
      }
    }
  }

  /// False if it has to be tried again when something has happened.
  private func carryOut(
    _ order: DemoOrder,
    at desk: any DemoDesk,
    _ edits: inout Int
  ) throws -> Bool {
    switch order {
    case .ready:
      guard try desk.isQuiet else { return false }
      answer("ready")
    case .edit:
      guard try desk.isQuiet else { return false }
      edits += 1
      desk.edit("\(name) \(edits)")
      note("edits, as number \(DemoFile.count(in: desk.text) ?? 0)")
      answer("edited")
    case .save:
      guard try desk.settle() else { return false }
      answer("saved")
    case .finish:
      guard try desk.isQuiet else { return false }
      answer("seen", text: desk.text)
    }
    return true
  }

  private func answer(_ answer: String, text: String? = nil) {
    untold.withLock { untold in
      untold.append(
        DemoMessage(time: MonotonicInstant.now.nanoseconds, answer: answer, text: text)
      )
    }
  }

  private func flush() throws {
    let messages = untold.withLock { untold in
      defer { untold = [] }
      return untold
    }
    for message in messages { try output.encoded(JSONLine.encode(message)) }
  }
}

/// Orders as they come over standard input.
private struct OrderReader {
  private let input = StandardStream.Input()
  private var rest: [UInt8] = []

  /// What came, after standard input was found readable; nil at its end.
  mutating func next() throws -> [DemoOrder]? {
    let part = try input.read(upTo: 4096)
    if part.isEmpty { return nil }
    rest += part
    var orders: [DemoOrder] = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if let order = DemoOrder(rawValue: String(decoding: rest[..<end], as: UTF8.self)) {
        orders.append(order)
      }
      rest.removeSubrange(...end)
    }
    return orders
  }
}
