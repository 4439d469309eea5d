import AccessClaims
import CoordinationRuntime
import LinuxSystem
import PresenterLink

/// Lets claims of one purpose find each other across processes: the claim table's way to the link.
final class PurposePartnership: PurposePartners {
  static let shared = PurposePartnership()
  private let arranged = PerProcess(false)

  /// Makes this process reachable for claims of a purpose that other processes may share.
  ///
  /// Called before such a claim; does something once per process.
  func arrange() {
    guard !arranged.withLock({ $0 }) else { return }
    do {
      try PresenterNetwork.link().listen()
      try ClaimTable.shared().partners = self
      arranged.withLock { $0 = true }
    } catch {
      Diagnostics.report("claims of one purpose will wait for each other: \(error)")
    }
  }

  func request(
    _ bytes: [UInt8],
    of process: ProcessIdentity,
    until deadline: MonotonicInstant
  ) -> (bytes: [UInt8], descriptors: [SharedDescriptor])? {
    // Without a link there is no partner; the claim waits like any other.
    try? PresenterNetwork.link().request(bytes, to: process, until: deadline)
  }

  /// Answers another process's table; on the link thread.
  func serve(_ bytes: [UInt8], in conversation: IncomingConversation) {
    do throws(ClaimFailure) {
      try ClaimTable.shared().serve(bytes) { reply, descriptors in
        withExtendedLifetime(descriptors) {
          _ = conversation.reply(.partnerReply(reply), descriptors: descriptors.map(\.number))
        }
      }
    } catch {
      conversation.reply(.partnerReply([]))
    }
  }
}
