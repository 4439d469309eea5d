import Documents
import Foundation
import GLibLoop

// What groups by event means on one kind of main loop, told on standard output: two registrations in
// one event, a third in a later one, then how many groups there are and what each undo gives back.
//
// Usage: undo-loops dispatch | runloop | runloop-past | glib | glib-hook | terminal | timer

final class Model {
  let undo = UndoManager()
  var values: [Int] = []
  func add(_ value: Int) {
    values.append(value)
    undo.registerUndo(withTarget: self) { $0.values.removeLast() }
  }
  func first() {
    add(1)
    add(2)
  }
  func second() { add(3) }
  func report() -> Never {
    print("level \(undo.groupingLevel)")
    print("groups \(undo.undoCount)")
    while undo.canUndo {
      undo.undo()
      print("values \(values)")
    }
    exit(0)
  }
}

let kind = CommandLine.arguments.dropFirst().first ?? "dispatch"
nonisolated(unsafe) let model = Model()  // used on the main thread only

switch kind {
case "dispatch":
  inTurns { work in DispatchQueue.main.async(execute: work) }
  dispatchMain()

case "runloop":
  inTurns { work in DispatchQueue.main.async(execute: work) }
  RunLoop.main.run()

case "timer":
  // Events of a run loop of its own: timers, not the main queue.
  inTurns { work in
    let timer = Timer(timeInterval: 0.001, repeats: false) { _ in work() }
    RunLoop.main.add(timer, forMode: .default)
  }
  RunLoop.main.run()

case "runloop-past":
  model.first()
  _ = RunLoop.main.run(mode: .default, before: .distantPast)
  model.second()
  _ = RunLoop.main.run(mode: .default, before: .distantPast)
  model.report()

case "mode":
  // A loop in a mode of the program's own, which does not serve the main queue.
  let mode = RunLoop.Mode("own")
  RunLoop.main.add(Timer(timeInterval: 100, repeats: false) { _ in }, forMode: mode)
  model.undo.runLoopModes = [mode]
  model.first()
  _ = RunLoop.main.run(mode: mode, before: Date(timeIntervalSinceNow: 0.05))
  model.second()
  _ = RunLoop.main.run(mode: mode, before: Date(timeIntervalSinceNow: 0.05))
  model.report()

case "glib":
  // Without a hook: the program says itself when an event is over.
  inTurns { work in
    GLibLoop.addIdle {
      work()
      UndoManager.endCurrentEvent()
    }
  }
  GLibLoop.run()

case "glib-hook":
  MainLoopHook.install { work in GLibLoop.addIdle(work) }
  inTurns { work in GLibLoop.addIdle(work) }
  GLibLoop.run()

case "terminal":
  // Keys from standard input, one event each; nothing else runs on this thread.
  while let line = readLine() {
    switch line {
    case "1": model.first()
    case "2": model.second()
    default: model.report()
    }
    UndoManager.endCurrentEvent()
  }
  exit(1)

default:
  print("unknown kind")
  exit(2)
}

/// One event after the other: each begins when the one before is done, and what it led to.
func inTurns(_ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
  schedule {
    model.first()
    schedule {
      schedule {
        model.second()
        schedule { schedule { model.report() } }
      }
    }
  }
}
