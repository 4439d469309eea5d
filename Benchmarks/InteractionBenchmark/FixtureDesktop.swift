import BenchmarkHarness
import Foundation

/// Three hundred programs and ten thousand files, in directories of the benchmark's own.
struct FixtureDesktop {
  let files: [String]

  /// Sets the environment, so before the first question to GIO.
  init(_ work: WorkDirectory) throws {
    let data = try work.makeDirectory("data")
    let system = try work.makeDirectory("system")
    setenv("XDG_DATA_HOME", data, 1)
    setenv("XDG_DATA_DIRS", system, 1)
    setenv("XDG_CONFIG_HOME", try work.makeDirectory("config"), 1)
    setenv("XDG_CONFIG_DIRS", system, 1)
    setenv("XDG_CURRENT_DESKTOP", "fixture", 1)
    try FileManager.default.createSymbolicLink(
      atPath: system + "/mime",
      withDestinationPath: "/usr/share/mime"
    )
    try Self.install(in: data + "/applications")
    let folder = try work.makeDirectory("files")
    files = try (0..<10_000).map { index in
      let path = "\(folder)/\(Self.name(index))"
      try Self.write(path, Self.contents[index % Self.contents.count])
      return path
    }
  }

  private static func install(in directory: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true
    )
    var cache: [String: [String]] = [:]
    let kinds = [
      ["text/plain", "text/markdown", "text/html"], ["image/png", "image/jpeg"],
      ["application/pdf", "text/plain"],
    ]
    for index in 0..<300 {
      let types = kinds[index % kinds.count]
      let id = "org.example.program\(index).desktop"
      for type in types { cache[type, default: []].append(id) }
      let text = """
        [Desktop Entry]
        Type=Application
        Version=1.5
        Name=Program \(index)
        Name[de]=Programm \(index)
        GenericName=Editor
        Comment=Shows and edits files of kind \(index % kinds.count)
        Icon=org.example.program\(index)
        Exec=/bin/true --number \(index) %U
        Terminal=false
        StartupNotify=true
        Categories=Utility;
        MimeType=\(types.joined(separator: ";"));

        """
      try write("\(directory)/\(id)", Data(text.utf8))
    }
    let lines = cache.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value.joined(separator: ";"));" }
    try write(
      "\(directory)/mimeinfo.cache",
      Data(("[MIME Cache]\n" + lines.joined(separator: "\n") + "\n").utf8)
    )
  }

  private static func name(_ index: Int) -> String {
    let endings = [".txt", ".png", ".pdf", "", ".md", ".tar.gz", ".c", ""]
    return "file\(index)\(endings[index % endings.count])"
  }

  static let picture: Data = {
    var dot: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    dot += [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]
    dot += [0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 16] + Array("IDAT".utf8)
    dot += [0x78, 1, 1, 5, 0, 0xfa, 0xff, 0, 0, 0, 0, 0, 0, 5, 0, 1, 0, 0, 0, 0]
    return Data(dot + [0, 0, 0, 0] + Array("IEND".utf8) + [0xae, 0x42, 0x60, 0x82])
  }()

  private static let contents: [Data] = [
    Data("just some text\n".utf8), picture, Data("%PDF-1.5\n".utf8),
    Data("#!/bin/sh\nexit 0\n".utf8),
  ]

  static func write(_ path: String, _ data: Data) throws {
    try data.write(to: URL(fileURLWithPath: path))
  }
}
