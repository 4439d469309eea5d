import CLinux
import Glibc

extension Environment {
  /// The words that this process was started with after its name, bytes as they came.
  package static var arguments: [FilePath] {
    unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
      .dropFirst()
      .compactMap { word in
        guard let word = unsafe word else { return nil }
        return unsafe FilePath(
          bytes: UnsafeRawBufferPointer(start: word, count: strlen(word))
        )
      }
  }

  /// Ends this process with an exit status of 0 to 255.
  package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  /// The permission bits that new files do not get.
  ///
  /// - SeeAlso: proc(5) Umask; umask(2) could only be asked by changing it.
  package static var creationMask: UInt32 {
    // Without /proc the usual one is assumed.
    guard let file = try? Descriptor.open(FilePath("/proc/self/status"), .readOnly),
      let bytes = try? file.readToEnd()
    else { return 0o022 }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("Umask:") {
      return UInt32(line.dropFirst(6).drop { $0 == "\t" || $0 == " " }, radix: 8) ?? 0o022
    }
    return 0o022
  }

  /// All variables of this process as `NAME=value`, for a program to be started.
  ///
  /// - SeeAlso: environ(7)
  package static var variables: [String] {
    var result: [String] = []
    var next = unsafe environ
    while let text = unsafe next.pointee {
      unsafe result.append(String(cString: text))
      unsafe next += 1
    }
    return result
  }
}
