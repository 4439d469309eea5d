import LinuxSystem

/// Says on standard error, once per sentence, what a call cannot report by throwing.
package enum Diagnostics {
  private static let said = Mutex<Set<String>>([])

  package static func report(_ sentence: String) {
    let isNew = said.withLock { said in
      if said.count > 1000 { said = [] }
      return said.insert(sentence).inserted
    }
    if isNew { StandardError.write("file coordination: \(sentence)\n") }
  }
}
