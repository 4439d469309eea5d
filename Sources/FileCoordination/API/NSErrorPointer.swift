public import Foundation

/// Where a method of Apple's shape leaves the reason of its failure.
///
/// `var error: NSError?` and then `&error`, or nil to not be told. Untouched on success.
///
/// Apple symbol: NSErrorPointer.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// What a parameter of type ``NSErrorPointer`` is spelled as where the compiler wrote it on Apple's systems.
///
/// So that an override of ``NSFileCoordinator/coordinate(readingItemAt:options:error:byAccessor:)`` in that
/// spelling is one here. There are no autorelease pools on Linux: it is the plain pointer.
///
/// Apple symbol: AutoreleasingUnsafeMutablePointer.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>
