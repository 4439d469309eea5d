public import Foundation

/// One version of a file, as presenters are told of it.
///
/// The store of versions comes with the module of documents; this module only declares the type, so
/// that presenters which implement the version callbacks compile.
///
/// Apple symbol: NSFileVersion.
open class NSFileVersion: NSObject {
  package override init() { super.init() }
}
