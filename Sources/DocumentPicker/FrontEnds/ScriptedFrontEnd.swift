/// A front end for tests: what the user does is written down beforehand.
public actor ScriptedFrontEnd: DocumentPickerFrontEnd {
  /// One thing that the user does.
  public enum Step: Sendable {
    /// Answers a picker.
    case select(@Sendable (SelectionRequest) async throws -> Selection)
    /// Answers a menu.
    case menu(@Sendable ([MenuEntry]) -> String?)
  }
  private var steps: [Step]
  /// Every picker that was shown.
  public private(set) var requests: [SelectionRequest] = []
  /// Every menu that was shown.
  public private(set) var menus: [[MenuEntry]] = []
  /// How often it was put away.
  public private(set) var dismissals = 0

  /// A user who does these things in this order, and then cancels whatever comes.
  public init(_ steps: [Step]) { self.steps = steps }

  /// Does the next thing, if that is to answer a picker; else cancels.
  public func select(_ request: SelectionRequest) async throws -> Selection {
    requests.append(request)
    guard case .select(let answer)? = steps.first else { return .cancelled }
    steps.removeFirst()
    return try await answer(request)
  }

  /// Does the next thing, if that is to answer a menu; else chooses nothing.
  public func chooseFromMenu(title: String, entries: [MenuEntry]) async throws -> String? {
    menus.append(entries)
    guard case .menu(let answer)? = steps.first else { return nil }
    steps.removeFirst()
    return answer(entries)
  }

  /// Counts.
  public func dismiss() async { dismissals += 1 }
}
