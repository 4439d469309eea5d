import AccessClaims
import Foundation
import LinuxSystem

/// One item of a call, as the caller gave it.
struct AccessItem: Sendable {
  let url: URL
  let access: NSFileAccessIntent.Access

  var isWriting: Bool {
    if case .writing = access { true } else { false }
  }

  var readingOptions: NSFileCoordinator.ReadingOptions {
    if case .reading(let options) = access { options } else { [] }
  }

  var writingOptions: NSFileCoordinator.WritingOptions {
    if case .writing(let options) = access { options } else { [] }
  }

  /// What the claim engine is asked for.
  func request(at path: FilePath) -> ClaimRequest.Item {
    let access: ClaimRequest.Access =
      switch self.access {
      case .reading: .read
      case .writing(let options):
        if !options.isDisjoint(with: [.forDeleting, .forReplacing]) {
          .structuralWrite
        } else if options.contains(.forMoving) {
          .movingWrite
        } else {
          .write
        }
      }
    return ClaimRequest.Item(
      path: path,
      access: access,
      followsLink: readingOptions.contains(.resolvesSymbolicLink),
      followsMoves: !writingOptions.contains(.forReplacing)
    )
  }
}
