import Documents
import Foundation

// As undo-loops, for a program whose main is async.

@MainActor
final class Model {
  let undo = UndoManager()
  var values: [Int] = []
  func add(_ value: Int) {
    values.append(value)
    undo.registerUndo(withTarget: self) { _ = $0.values.removeLast() }
  }
}

@main
struct UndoAsyncMain {
  @MainActor static func main() async {
    let model = Model()
    model.add(1)
    model.add(2)
    await turn()
    model.add(3)
    await turn()
    print("level \(model.undo.groupingLevel)")
    print("groups \(model.undo.undoCount)")
    while model.undo.canUndo {
      model.undo.undo()
      print("values \(model.values)")
    }
  }

  /// The main queue gets its turn.
  @MainActor static func turn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
