import Foundation

/// What a figure was measured on.
package struct Machine: Codable, Sendable {
  package let processor: String
  package let cores: Int
  /// Bytes.
  package let memory: UInt64
  package let kernel: String
  package let system: String
  /// ISO 8601, in UTC.
  package let date: String

  /// This one, now.
  package static var current: Machine {
    Machine(
      processor: field("model name", in: "/proc/cpuinfo") ?? "unknown processor",
      cores: ProcessInfo.processInfo.activeProcessorCount,
      memory: ProcessInfo.processInfo.physicalMemory,
      kernel: text("/proc/sys/kernel/osrelease") ?? "unknown kernel",
      system: field("PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "unknown system",
      date: Date().ISO8601Format()
    )
  }

  /// One line for people.
  package var summary: String {
    let gigabytes = Figure.short(Double(memory) / 1_073_741_824)
    return "\(system), kernel \(kernel), \(cores) x \(processor), \(gigabytes) GiB"
  }

  /// The type of the file system that holds a path, as mount(8) names it.
  package static func fileSystem(of path: String) -> String {
    var best = ("", "unknown")
    for line in (text("/proc/self/mounts") ?? "").split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2 else { continue }
      let place = String(fields[1])
      let isAbove = place == "/" || path == place || path.hasPrefix(place + "/")
      // The last of two mounts in one place is the one that is seen.
      if isAbove, place.count >= best.0.count { best = (place, String(fields[2])) }
    }
    return best.1
  }

  private static func text(_ path: String) -> String? {
    // A file that is missing leaves the figure without that word.
    (try? String(contentsOfFile: path, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func field(_ name: String, in path: String, separator: Character = ":") -> String?
  {
    for line in (text(path) ?? "").split(separator: "\n") {
      let parts = line.split(separator: separator, maxSplits: 1)
      guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == name else {
        continue
      }
      return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }
    return nil
  }
}
