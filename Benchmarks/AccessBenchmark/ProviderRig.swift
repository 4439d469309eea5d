import BenchmarkHarness
import DocumentPicker
import Foundation
import LinuxSystem

/// A declared provider with a folder; its process is started by who reads in it.
struct ProviderRig {
  private static let group = "benchmark"
  let storage: String
  private let log: String

  /// `data` is what `XDG_DATA_HOME` says.
  init(data: String) throws {
    storage = "\(data)/\(Self.group)/File Provider Storage"
    log = "\(data)/deliveries"
    let declarations = data + "/document-providers"
    for directory in [storage, declarations] {
      try FileManager.default.createDirectory(
        atPath: directory,
        withIntermediateDirectories: true
      )
    }
    let declaration: [String: Any] = [
      "identifier": "org.example.benchmark", "displayName": "Benchmark", "modes": ["open"],
      "supportedTypes": ["public.data"], "documentGroup": Self.group,
      "exec": [Program.own, BenchmarkProvider.verb, log],
      // What was delivered stays while it is measured.
      "stopAfterSeconds": 3_600,
    ]
    try JSONSerialization.data(withJSONObject: declaration)
      .write(to: URL(fileURLWithPath: declarations + "/benchmark.json"))
  }

  /// The URLs of new items of which only placeholders are there.
  func placeholders(_ names: [String]) throws -> [URL] {
    try names.map { name in
      let url = URL(fileURLWithPath: "\(storage)/\(name)")
      try NSFileProviderExtension.writePlaceholder(
        at: NSFileProviderExtension.placeholderURL(for: url),
        withMetadata: [.nameKey: name]
      )
      return url
    }
  }

  /// How often each item was delivered.
  func deliveries() throws -> [String: Int] {
    try lines("start ").reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Ends the provider's process.
  func end() {
    // One that was never started has noted nothing.
    for pid in ((try? lines("process ")) ?? []).compactMap({ Int32($0) }) {
      Signal.kill.send(to: pid)
    }
  }

  private func lines(_ prefix: String) throws -> [String] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }
}
