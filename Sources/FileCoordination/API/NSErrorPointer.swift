public import Foundation

/// Where a method of Apple's shape leaves the reason of its failure.
///
/// `var error: NSError?` and then `&error`, or nil to not be told. Untouched on success.
///
/// Apple symbol: NSErrorPointer.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
