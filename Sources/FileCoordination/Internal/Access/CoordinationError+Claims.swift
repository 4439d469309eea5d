import AccessClaims
import CoordinationRuntime
import Foundation
import LinuxSystem
import PresenterLink

/// Says in sentences what the claim engine says in cases.
extension CoordinationError {
  /// A failure that concerns the whole call; told of its first item.
  init(_ code: Code, _ items: [AccessItem], _ message: String? = nil, cause: (any Error)? = nil) {
    let item = items.first
    let url = item?.url ?? URL(filePath: "/")
    self.init(
      code,
      url,
      isWriting: items.contains(where: \.isWriting),
      message ?? "The access to \(Self.names(items)) was cancelled before it began.",
      cause: cause
    )
  }

  /// Labelled, because `.cancelled` alone could be either type's case.
  init(claim failure: ClaimFailure, _ items: [AccessItem]) {
    let names = Self.names(items)
    switch failure {
    case .cancelled:
      // The type is said, because `.cancelled` alone would be this initializer again.
      self.init(Code.cancelled, items)
    case .timedOut:
      self.init(
        .timedOut,
        items,
        "\(names) did not become free within the time limit; filecoord status shows who holds it."
      )
    case .wouldDeadlock(let cycle):
      self.init(.wouldDeadlock, items, "Waiting for \(names) would never end: \(cycle).")
    case .changedDuringUpgrade:
      self.init(
        .wouldDeadlock,
        items,
        "\(names) was written by somebody else while reading turned into writing; "
          + "end the read and start over."
      )
    case .runtime(let error):
      self.init(.coordinationUnavailable, items, "\(error)", cause: error.cause)
    case .unreachable(let error):
      self.init(.itemUnreachable, items, "\(names) cannot be reached: \(error).", cause: error)
    case .outOfDescriptors(let error):
      self.init(
        .outOfResources,
        items,
        "No descriptors are left to coordinate \(names) (\(error)); close files or raise ulimit -n.",
        cause: error
      )
    case .unstablePath(let path):
      self.init(
        .itemUnreachable,
        items,
        "\(path) changed its place so often that it could not be claimed; try again."
      )
    case .lockUnavailable(let error):
      self.init(
        .coordinationUnavailable,
        items,
        "The kernel refused the lock for \(names): \(error).",
        cause: error
      )
    }
  }

  /// Who presents the items cannot be told.
  init(cannotLook failure: RuntimeDirectoryError, _ items: [AccessItem]) {
    guard let cause = failure.cause, RemoteParty.isOurTrouble(cause) else {
      self.init(claim: .runtime(failure), items)
      return
    }
    self.init(
      .outOfResources,
      items,
      "Who presents \(Self.names(items)) cannot be told (\(cause)), so nothing was accessed; "
        + "close files or raise ulimit -n.",
      cause: cause
    )
  }

  /// A process that lives and presents the items could not be asked.
  init(cannotAsk peer: PeerPresence, _ error: SystemError, _ items: [AccessItem]) {
    let who = "Process \(peer.process), which presents \(Self.names(items)),"
    if error.code == .again {
      self.init(
        .presenterSilent,
        items,
        "\(who) takes no more messages; nothing was accessed. Try again when it answers.",
        cause: error
      )
    } else {
      self.init(
        .outOfResources,
        items,
        "\(who) could not be asked (\(error)); nothing was accessed. Close files or raise "
          + "ulimit -n; name fewer items at once if the message was too long.",
        cause: error
      )
    }
  }

  private static func names(_ items: [AccessItem]) -> String {
    items.map { $0.url.isFileURL ? $0.url.path : $0.url.absoluteString }.joined(separator: ", ")
  }
}
