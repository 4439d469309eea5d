import AccessClaims
import CoordinationRuntime
package import Foundation
import LinuxSystem
import PresenterLink

/// What a provider's process asks about items of its folder.
package enum ProvidedItems {
  /// Whether this or another process presents the item.
  package static func isPresented(_ item: URL) -> Bool {
    guard let path = FilePath(item) else { return false }
    let identity = ItemResolver.shared.identity(of: path)
    let asked = AskedItem(
      AccessItem(url: item, access: .writing([])),
      identity,
      isPrepare: false
    )
    return PresenterNetwork.mayBePresented(.toAsk(about: [asked]))
  }
}
