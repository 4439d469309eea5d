public import Foundation
import LinuxSystem
import PropertyLists

/// What one program of a suite tells another about a file that it has it open.
///
/// A property list, in base 64, in the environment variable `DOCUMENT_ANNOTATION` of the program that is
/// started, and of no other; a program that is started over the session bus gets it as `x-annotation` (type
/// `ay`) of the platform data of `org.freedesktop.Application.Open`.
public enum DocumentAnnotation {
  /// The name of the variable.
  public static let variable = "DOCUMENT_ANNOTATION"
  /// The name in platform data.
  public static let platformDataKey = "x-annotation"
  /// How long an annotation may be, in bytes: a variable has at most 128 KiB.
  public static let limit = 90_000

  /// What this process was given, or nil; the second call in a process gives nil.
  ///
  /// Takes the variable out of the environment, so that no program which this one starts gets it. To be
  /// called early, before other threads look at the environment. Blocks on nothing.
  ///
  /// Apple symbol: UIApplication.LaunchOptionsKey.annotation.
  public static func take() -> Any? {
    guard let text = Environment.value(of: variable)?.string else { return nil }
    Environment.remove(variable)
    return Data(base64Encoded: text).flatMap(read)
  }

  /// The annotation in a binary or XML property list, or nil where it is none.
  public static func read(_ data: Data) -> Any? {
    // Whoever sent it, something that is no property list says nothing.
    UntrustedPropertyList.read(data)
  }

  /// The bytes that are handed over.
  static func encode(_ annotation: Any, for url: URL?) throws -> [UInt8] {
    guard PropertyListSerialization.propertyList(annotation, isValidFor: .binary) else {
      throw DocumentInteractionError(
        .badAnnotation,
        url,
        "the annotation is not made of strings, numbers, dates, data, arrays and dictionaries"
      )
    }
    let data = try PropertyListSerialization.data(
      fromPropertyList: annotation,
      format: .binary,
      options: 0
    )
    guard data.count <= limit else {
      throw DocumentInteractionError(
        .badAnnotation,
        url,
        "the annotation has \(data.count) bytes; \(limit) are possible"
      )
    }
    return Array(data)
  }
}
