import FileCoordination
import Foundation
import PeerScript
import TestSupport
import Testing

/// The rules of `purposeIdentifier`: statement 54.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)))
struct PurposeTests {
  @Test func `statement 54: it may be set once`() async throws {
    let coordinator = NSFileCoordinator()
    coordinator.purposeIdentifier = "org.example.once"

    #expect(coordinator.purposeIdentifier == "org.example.once")
  }

  @Test func `statement 54: setting it twice traps`() async {
    await #expect(processExitsWith: .failure) {
      let coordinator = NSFileCoordinator()
      coordinator.purposeIdentifier = "one"
      coordinator.purposeIdentifier = "two"
    }
  }

  @Test func `statement 54: setting it to nothing traps`() async {
    await #expect(processExitsWith: .failure) { NSFileCoordinator().purposeIdentifier = "" }
  }

  @Test func `statement 54: setting it where there is a presenter traps`() async {
    await #expect(processExitsWith: .failure) {
      let presenter = QuietPresenter()
      NSFileCoordinator(filePresenter: presenter).purposeIdentifier = "one"
    }
  }

  @Test func `each coordinator has its own, those of one presenter the same`() {
    let presenter = QuietPresenter()
    let purposes = [
      NSFileCoordinator().purposeIdentifier, NSFileCoordinator().purposeIdentifier,
      NSFileCoordinator(filePresenter: presenter).purposeIdentifier,
    ]

    #expect(Set(purposes).count == 3)
    #expect(NSFileCoordinator(filePresenter: presenter).purposeIdentifier == purposes[2])
  }

  @Test func `a purpose does not keep its own presenters from being asked`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.p.run("1", .access(.write(f).purpose("org.example.one")))

    #expect(try await pair.p.messages(of: "P").first == "relinquishToWriter")
  }
}

private final class QuietPresenter: NSObject, NSFilePresenter, Sendable {
  let presentedItemURL: URL? = URL(fileURLWithPath: "/nowhere")
  let presentedItemOperationQueue = OperationQueue()
}
