import AccessClaims
import CoordinationRuntime
package import Foundation
import LinuxSystem
import PresenterLink
import ProviderLink

/// What providers and documents ask about items of providers' folders.
package enum ProvidedItems {
  /// Whether a provider may deliver the item, so that it need not be here to be read.
  package static func mayBeProvided(_ item: URL) -> Bool {
    guard let path = FilePath(item),
      // What cannot be resolved is nobody's.
      let place = try? ItemResolver.shared.canonical(path, followingLink: false)
    else { return false }
    return ProviderBoard.provider(of: place) != nil
  }

  /// Whether only a placeholder stands for the item.
  package static func isPlaceholder(_ item: URL) -> Bool {
    FilePath(item).map { Placeholder.stands(for: $0) } ?? false
  }

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
