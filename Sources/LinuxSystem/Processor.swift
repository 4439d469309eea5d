import CLinux

/// One of the machine's processors.
package struct Processor: Sendable {
  private let number: CInt

  /// The one that the calling thread runs on, for now.
  ///
  /// - SeeAlso: sched_getcpu(3)
  package static var current: Processor { Processor(number: cl_processor()) }

  /// Keeps the calling thread off it for good, if there is another one that it may run on.
  ///
  /// - SeeAlso: sched_setaffinity(2)
  package func avoid() { cl_avoid_processor(number) }
}
