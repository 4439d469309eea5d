import FileCoordination
import Foundation
import LinuxSystem
import Testing

/// What is brought to an operation queue, and in how many operations.
@Suite struct DeliveryOrderTests {
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  /// Suspended until everything was delivered.
  private func queue() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    return queue
  }

  @Test func `news for one presenter share operations, a few dozen each`() {
    let (queue, log, presenter) = (queue(), Log(), NSObject())
    for number in 0..<200 {
      QueueDelivery.deliver(to: queue, for: ObjectIdentifier(presenter), isNews: true) {
        log.add("\(number)")
      }
    }

    #expect(queue.operationCount == 4)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()

    #expect(log.all == (0..<200).map { "\($0)" })
  }

  @Test func `what somebody waits for keeps its place among the news`() {
    let (queue, log, presenter, other) = (queue(), Log(), NSObject(), NSObject())
    func deliver(_ text: String, to object: NSObject, isNews: Bool) {
      QueueDelivery.deliver(to: queue, for: ObjectIdentifier(object), isNews: isNews) {
        log.add(text)
      }
    }
    deliver("news 1", to: presenter, isNews: true)
    deliver("news 2", to: presenter, isNews: true)
    deliver("question 1", to: presenter, isNews: false)
    deliver("question 2", to: presenter, isNews: false)
    deliver("news 3", to: presenter, isNews: true)
    deliver("news 4", to: other, isNews: true)
    queue.addOperation { log.add("the client's own") }
    deliver("news 5", to: presenter, isNews: true)

    #expect(queue.operationCount == 7)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()

    #expect(
      log.all == [
        "news 1", "news 2", "question 1", "question 2", "news 3", "news 4", "the client's own",
        "news 5",
      ]
    )
  }

  @Test func `news that come while others run are not lost`() {
    let (log, presenter) = (Log(), NSObject())
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let key = ObjectIdentifier(presenter)
    for number in 0..<100 {
      QueueDelivery.deliver(to: queue, for: key, isNews: true) {
        log.add("first")
        if number % 10 == 0 {
          QueueDelivery.deliver(to: queue, for: key, isNews: true) { log.add("second") }
        }
      }
    }
    queue.waitUntilAllOperationsAreFinished()

    #expect(log.all.filter { $0 == "first" }.count == 100)
    #expect(log.all.filter { $0 == "second" }.count == 10)
  }
}
