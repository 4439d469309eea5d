package import Foundation

extension OperationQueue {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// The operation queue that the calling code runs on, nil on none.
  ///
  /// `OperationQueue.current` knows the main queue by the main thread only. In a program that ends in
  /// `dispatchMain()` or has an async `main`, the main queue is run by other threads.
  package static var here: OperationQueue? {
    if isMainHere { return .main }
    return current
  }

  /// Whether the calling code runs on the main thread, or on the main queue wherever that runs.
  package static var isMainHere: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
  }
}
