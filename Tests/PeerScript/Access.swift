/// One coordinated access that a peer makes.
package struct Access: Codable, Sendable {
  /// One item of it.
  package struct Item: Codable, Sendable {
    package enum Kind: String, Codable, Sendable { case read, write }
    package var kind: Kind
    /// An absolute path, or a URL with a scheme, as it is to be handed over.
    package var url: String
    /// Raw value of the reading or writing options.
    package var options: UInt

    package init(_ kind: Kind, _ url: String, options: UInt = 0) {
      self.kind = kind
      self.url = url
      self.options = options
    }
  }

  /// Which spelling of the call is used.
  package enum Form: String, Codable, Sendable {
    /// `error:byAccessor:`, Apple's synchronous one.
    case classic
    /// The synchronous one that throws.
    case throwing
    /// The one that suspends.
    case async
    /// `coordinate(with:queue:byAccessor:)`; the step ends when the accessor ran.
    case intents
  }

  package var items: [Item]
  package var form = Form.classic
  /// Which coordinator: the same name is the same instance.
  ///
  /// nil makes one for this access.
  package var coordinator: String?
  /// The peer's presenter of this name stands behind the coordinator.
  package var presenter: String?
  package var purpose: String?
  /// Seconds; only for the forms that take a limit.
  package var limit: Double?
  /// Name under which the access can be cancelled as a task (form `async`).
  package var task: String?
  /// Only a failure is told; for loops.
  package var isQuiet = false
  package var body: [Step]

  package init(_ items: [Item], _ body: [Step]) {
    self.items = items
    self.body = body
  }

  package static func read(_ url: String, _ options: UInt = 0, _ body: Step...) -> Access {
    Access([Item(.read, url, options: options)], body)
  }
  package static func write(_ url: String, _ options: UInt = 0, _ body: Step...) -> Access {
    Access([Item(.write, url, options: options)], body)
  }
  package static func of(_ items: [Item], _ body: Step...) -> Access { Access(items, body) }

  /// The same access with more steps at the end of its accessor.
  package func then(_ steps: Step...) -> Access { with { $0.body += steps } }
  package var quiet: Access { with { $0.isQuiet = true } }
  package func form(_ form: Form) -> Access { with { $0.form = form } }
  package func coordinator(_ name: String) -> Access { with { $0.coordinator = name } }
  package func presenter(_ name: String) -> Access { with { $0.presenter = name } }
  package func purpose(_ identifier: String) -> Access { with { $0.purpose = identifier } }
  package func limit(_ seconds: Double) -> Access { with { $0.limit = seconds } }
  package func task(_ name: String) -> Access { with { $0.task = name } }

  private func with(_ change: (inout Access) -> Void) -> Access {
    var copy = self
    change(&copy)
    return copy
  }
}

/// Raw values of the options, so that this module needs not the one it tests.
package enum Reading {
  package static let plain: UInt = 0
  package static let withoutChanges: UInt = 1
  package static let resolvesSymbolicLink: UInt = 2
  package static let metadataOnly: UInt = 4
  package static let forUploading: UInt = 8
}

/// Raw values of the options.
package enum Writing {
  package static let plain: UInt = 0
  package static let forDeleting: UInt = 1
  package static let forMoving: UInt = 2
  package static let forMerging: UInt = 4
  package static let forReplacing: UInt = 8
  package static let metadataOnly: UInt = 16
}
