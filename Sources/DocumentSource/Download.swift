import Foundation
import FoundationNetworking
import LinuxSystem

/// One resource from a server that is not trusted: limited in length, time and redirections.
// @unchecked because its state is in a Mutex; URLSession's delegates are not Sendable themselves.
final class Download: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  static let redirections = 5

  private struct State {
    var bytes = Data()
    var redirections = 0
    var continuation: CheckedContinuation<Data, any Error>?
    /// The first one counts.
    var result: Result<Data, any Error>?
    var session: URLSession?
    var hasBegun = false
    var isOver = false
  }
  private let url: URL
  private let limit: Int
  private let state = Mutex(State())
  /// Where the session calls and is ended, one after the other.
  ///
  /// Foundation ends the process when it is answered about a redirection of a task that was cancelled
  /// since it asked. Suspended until the session has its task: one that was ended takes none.
  private let queue = OperationQueue()

  private init(_ url: URL, limit: Int) {
    self.url = url
    self.limit = limit
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
  }

  /// - Throws: ``IconError``, `CancellationError`
  static func data(from url: URL, limit: Int, within time: TimeInterval) async throws -> Data {
    guard isAllowed(url) else { throw IconError.notAllowed(url) }
    let download = Download(url, limit: limit)
    // A server that sends a byte now and then is never idle: the whole has a limit as well.
    let clock = Task {
      try await Task.sleep(for: .seconds(time))
      download.fail(.timedOut(url))
    }
    defer {
      clock.cancel()
      download.end()
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if let early = download.wait(continuation) { return continuation.resume(with: early) }
        download.begin(within: time)
      }
    } onCancel: {
      download.finish(.failure(CancellationError()))
    }
  }

  /// On a thread of ours: a session waits for a queue of its own, and that for a thread of the pool that
  /// a task would keep meanwhile.
  private func begin(within time: TimeInterval) {
    do throws(SystemError) {
      try BlockingThread.start("fc-download") { [self] in
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = time
        configuration.timeoutIntervalForResource = time
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
        session.dataTask(with: url).resume()
        state.withLock { $0.session = session }
        queue.isSuspended = false
      }
    } catch {
      finish(.failure(IconError.unreachable(url, error.description)))
      queue.isSuspended = false
    }
  }

  private func end() {
    guard state.withLock({ $0.hasBegun }) else { return }
    queue.addOperation { [self] in
      let session = state.withLock { state in
        state.isOver = true
        defer { state.session = nil }
        return state.session
      }
      session?.invalidateAndCancel()
    }
  }

  /// Has `continuation` wait; gives the result, if there is one already.
  private func wait(_ continuation: CheckedContinuation<Data, any Error>)
    -> Result<Data, any Error>?
  {
    state.withLock { state in
      guard state.result == nil else { return state.result }
      state.continuation = continuation
      state.hasBegun = true
      return nil
    }
  }

  private static func isAllowed(_ url: URL) -> Bool {
    (url.scheme == "https" || url.scheme == "http") && url.host?.isEmpty == false
  }

  /// Whether anybody still answers: after the end, the session asks nobody.
  private var isWanted: Bool { state.withLock { !$0.isOver } }

  private func fail(_ failure: IconError) { finish(.failure(failure)) }

  /// Once; what comes later is dropped.
  private func finish(_ result: Result<Data, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Data, any Error>? in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(with: result)
  }

  // MARK: URLSession

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    guard isWanted else { return }
    let count = state.withLock { state in
      state.redirections += 1
      return state.redirections
    }
    let isDowngrade = url.scheme == "https" && request.url?.scheme != "https"
    if count > Self.redirections {
      fail(.tooManyRedirections(url))
    } else if let target = request.url, Self.isAllowed(target), !isDowngrade {
      return completionHandler(request)
    } else {
      fail(.notAllowed(request.url ?? url))
    }
    // What is told besides, the download's end does not wait for.
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    guard isWanted else { return }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    if status != 200 {
      fail(.status(status, url))
    } else if response.expectedContentLength > Int64(limit) {
      fail(.tooLarge(url, limit: limit))
    } else {
      return completionHandler(.allow)
    }
    completionHandler(.cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = state.withLock { state in
      if state.bytes.count + data.count > limit { return true }
      state.bytes += data
      return false
    }
    if isTooLarge { fail(.tooLarge(url, limit: limit)) }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    guard let error else { return finish(.success(state.withLock { $0.bytes })) }
    let code = (error as? URLError)?.code
    finish(
      .failure(
        code == .timedOut
          ? IconError.timedOut(url) : IconError.unreachable(url, error.localizedDescription)
      )
    )
  }
}
