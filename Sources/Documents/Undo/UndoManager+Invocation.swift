extension UndoManager {
  /// What ``UndoManager/prepare(withInvocationTarget:)`` gives: what is done to it is done at undo.
  ///
  /// Assigning to a property registers the assignment; any other call goes into ``perform(_:)``.
  @dynamicMemberLookup
  public struct Invocation<Target: AnyObject> {
    let manager: UndoManager
    let target: Target

    /// Reads a property now; assigned to, registers the assignment.
    public subscript<Value>(
      dynamicMember property: ReferenceWritableKeyPath<Target, Value>
    ) -> Value {
      get { target[keyPath: property] }
      nonmutating set {
        manager.registerUndo(withTarget: target) { $0[keyPath: property] = newValue }
      }
    }

    /// Registers a call.
    public func perform(_ handler: @escaping (Target) -> Void) {
      manager.registerUndo(withTarget: target, handler: handler)
    }
  }

  /// Registers what is then done to the result, for example `prepare(withInvocationTarget: a).x = 1`.
  ///
  /// Apple's takes any message through the Objective-C runtime, which does not exist here: of those,
  /// assignments to properties are left; ``registerUndo(withTarget:handler:)`` takes the rest.
  ///
  /// Apple symbol: UndoManager.prepare(withInvocationTarget:).
  public func prepare<Target: AnyObject>(
    withInvocationTarget target: Target
  ) -> Invocation<Target> {
    Invocation(manager: self, target: target)
  }
}
