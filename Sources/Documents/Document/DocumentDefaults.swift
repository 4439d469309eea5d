import FileCoordination
import LinuxSystem

/// What all documents of the process have in common.
enum DocumentDefaults {
  static let policy = Mutex(AutosavePolicy())

  static func report(_ sentence: String) { Diagnostics.report(sentence) }
}
