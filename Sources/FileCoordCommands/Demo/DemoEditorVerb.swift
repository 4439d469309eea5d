import CoordinationRuntime
import FileCoordination
import Foundation
import LinuxSystem

/// `filecoord demo-editor`: one of the two programs that edit the file of the demo.
enum DemoEditorVerb: Verb {
  static let description = VerbDescription(
    "demo-editor",
    ["NAME FILE"],
    "edits the file of the demo",
    options: [DemoVerb.withoutCoordination],
    hidden: true
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let words = try arguments.pair()
    let editor = try DemoEditor(
      words.source.description,
      try Operand.path(words.destination),
      surroundings.output,
      isCoordinating: !arguments.has(DemoVerb.withoutCoordination)
    )
    try surroundings.interruption.during({ try editor.run(surroundings.interruption) }) { _ in
      editor.wake()
    }
    return .success
  }
}

/// Presents the file, edits it when told to, and reads it again when it hears of a change.
final class DemoEditor: Sendable {
  private struct State {
    var untold: [DemoMessage] = []
    var hasChanged = false
    var view = ""
    var edits = 0
  }
  private let name: String
  private let file: FilePath
  private let output: Output
  private let isCoordinating: Bool
  private let point: WaitPoint
  private let state = Mutex(State())

  init(_ name: String, _ file: FilePath, _ output: Output, isCoordinating: Bool) throws {
    self.name = name
    self.file = file
    self.output = output
    self.isCoordinating = isCoordinating
    point = try WaitPoint()
  }

  func wake() { point.wake() }

  /// Puts an event on the timeline; never blocks, so that any thread may call it under any lock.
  func note(_ event: String, at time: MonotonicInstant = .now) {
    state.withLock { $0.untold.append(DemoMessage(time: time.nanoseconds, event: event)) }
  }

  /// Somebody changed the file: it is read again by the thread that edits.
  func fileChanged() {
    state.withLock { $0.hasChanged = true }
    point.wake()
  }

  func run(_ interruption: Interruption) throws {
    CoordinationTrace.install { [weak self] event in
      if event.kind.isDetail { return }
      let text = event.text.isEmpty ? "" : " \(event.text)"
      self?.note("\(event.kind)\(text)", at: event.time)
    }
    defer { CoordinationTrace.install(nil) }
    let presenter = DemoPresenter(self, file)
    NSFileCoordinator.addFilePresenter(presenter)
    defer { NSFileCoordinator.removeFilePresenter(presenter) }
    try look(presenter)
    try answer("ready")
    var orders = OrderReader()
    var isFinishing = false
    while interruption.signal == nil {
      let isReadable = !point.wait(until: nil, alsoReadable: [0]).isEmpty
      if state.withLock({ $0.hasChanged }) { try look(presenter) }
      if isReadable {
        guard let received = try orders.next() else { return }
        for order in received {
          if order == .edit { try edit(presenter) }
          if order == .finish { isFinishing = true }
        }
      }
      // Nothing is read here that no message told of: being equal proves that all was told.
      if isFinishing, try contents() == state.withLock({ $0.view }) {
        try answer("seen", text: state.withLock { $0.view })
        isFinishing = false
      }
      try flush()
    }
  }

  /// Reads the file after a message about it.
  private func look(_ presenter: DemoPresenter) throws {
    state.withLock { $0.hasChanged = false }
    let view = try reading(presenter) { try contents() }
    state.withLock { $0.view = view }
  }

  /// Adds one to the number in the file and a line to its end.
  private func edit(_ presenter: DemoPresenter) throws {
    let edit = state.withLock { state in
      state.edits += 1
      return state.edits
    }
    let view = try writing(presenter) {
      guard let count = DemoFile.count(in: try contents()) else {
        throw CommandFailure(.failure, "\(file): the number is gone")
      }
      note("reads \(count)")
      // An editor that has something to think about: what coordination must keep together.
      let end = MonotonicInstant.now + .milliseconds(5)
      while MonotonicInstant.now < end { ShortPause.run(until: end) }
      let head = try Descriptor.open(file, [.writeOnly, .noFollow])
      try head.write(Array(DemoFile.header(count + 1).utf8))
      let tail = try Descriptor.open(file, [.writeOnly, .append, .noFollow])
      try tail.write(Array("\(name) \(edit)\n".utf8))
      note("writes \(count + 1)")
      return try contents()
    }
    state.withLock { $0.view = view }
    try answer("edited")
  }

  private func reading<R>(_ presenter: DemoPresenter, _ body: () throws -> R) throws -> R {
    guard isCoordinating else { return try body() }
    return try NSFileCoordinator(filePresenter: presenter)
      .coordinate(readingItemAt: file.url()) { _ in try body() }
  }

  private func writing<R>(_ presenter: DemoPresenter, _ body: () throws -> R) throws -> R {
    guard isCoordinating else { return try body() }
    return try NSFileCoordinator(filePresenter: presenter)
      .coordinate(writingItemAt: file.url()) { _ in try body() }
  }

  private func contents() throws -> String {
    String(decoding: try Descriptor.open(file, .readOnly).readToEnd(), as: UTF8.self)
  }

  private func answer(_ answer: String, text: String? = nil) throws {
    state.withLock { state in
      state.untold.append(
        DemoMessage(time: MonotonicInstant.now.nanoseconds, answer: answer, text: text)
      )
    }
    try flush()
  }

  private func flush() throws {
    let untold = state.withLock { state in
      defer { state.untold = [] }
      return state.untold
    }
    for message in untold { try output.line(JSONLine.encode(message)) }
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

/// The editor's presenter: puts its messages on the timeline and answers at once.
private final class DemoPresenter: NSObject, NSFilePresenter, Sendable {
  private let editor: DemoEditor
  private let url: URL
  private let queue: OperationQueue

  init(_ editor: DemoEditor, _ file: FilePath) {
    self.editor = editor
    url = file.url()
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
  }

  var presentedItemURL: URL? { url }
  var presentedItemOperationQueue: OperationQueue { queue }

  func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    editor.note("lets a reader in")
    reader { [editor] in editor.note("has the file back") }
  }

  func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    editor.note("lets a writer in")
    writer { [editor] in editor.note("has the file back") }
  }

  func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    editor.note("has nothing to save")
    completionHandler(nil)
  }

  func presentedItemDidChange() {
    editor.note("hears of a change")
    editor.fileChanged()
  }
}
