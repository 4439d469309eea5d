import BenchmarkHarness
import Foundation

/// Other watchers, compiled or found when the benchmark runs.
final class Peers {
  /// Those that are not here, and why.
  private(set) var missing: [String: String] = [:]
  private var commands: [String: (String, [String])] = [:]
  private let directory: String

  private struct Recipe {
    let name: String
    let file: String
    let compiler: String
    var flags: [String] = []
    var package: String?
    let needs: String
  }

  private static let recipes = [
    Recipe(name: "create", file: "create.c", compiler: "gcc", needs: "gcc"),
    Recipe(name: "tree-floor", file: "tree_floor.c", compiler: "gcc", needs: "gcc"),
    Recipe(
      name: "libinotifytools",
      file: "inotifytools_peer.c",
      compiler: "gcc",
      flags: ["-linotifytools"],
      needs: "libinotifytools0-dev"
    ),
    Recipe(
      name: "gio",
      file: "gio_peer.c",
      compiler: "gcc",
      package: "gio-2.0",
      needs: "libglib2.0-dev"
    ),
    Recipe(
      name: "qt",
      file: "qt_peer.cpp",
      compiler: "g++",
      flags: ["-fPIC"],
      package: "Qt5Core",
      needs: "qtbase5-dev"
    ),
    Recipe(
      name: "libfswatch",
      file: "fswatch_peer.c",
      compiler: "gcc",
      flags: [
        "-L/usr/lib/x86_64-linux-gnu/libfswatch", "-lfswatch",
        "-Wl,-rpath,/usr/lib/x86_64-linux-gnu/libfswatch",
      ],
      needs: "fswatch"
    ),
  ]

  init(in work: WorkDirectory) throws {
    directory = try work.makeDirectory("peers")
    for recipe in Self.recipes {
      do {
        commands[recipe.name] = (try compile(recipe), [])
      } catch {
        missing[recipe.name] = "needs \(recipe.needs)"
      }
    }
    if Program.find("watchman") == nil { missing["watchman"] = "needs watchman" }
    if let python = Program.find("python3") {
      commands["watchman"] = (python, [try source("watchman_peer.py")])
    }
  }

  func has(_ name: String) -> Bool { commands[name] != nil && missing[name] == nil }

  /// - Throws: ``MeasurementError`` where it is not here.
  func command(_ name: String) throws -> (String, [String]) {
    guard has(name), let command = commands[name] else {
      throw MeasurementError("\(name) is not here: \(missing[name] ?? "unknown")")
    }
    return command
  }

  private func source(_ name: String) throws -> String {
    guard let url = Bundle.module.url(forResource: "Peers", withExtension: nil) else {
      throw MeasurementError("the sources of the peers are not beside this program")
    }
    return url.appending(path: name).path
  }

  private func compile(_ recipe: Recipe) throws -> String {
    var flags = recipe.flags
    if let package = recipe.package {
      guard let tool = Program.find("pkg-config") else { throw MeasurementError("no pkg-config") }
      let found = try Program.run(tool, ["--cflags", "--libs", package])
      guard found.status == 0 else { throw MeasurementError("no \(package)") }
      flags += found.output.split { $0 == " " || $0 == "\n" }.map(String.init)
    }
    guard let compiler = Program.find(recipe.compiler) else {
      throw MeasurementError("no \(recipe.compiler)")
    }
    let program = "\(directory)/\(recipe.name)"
    let result = try Program.run(
      compiler,
      ["-O2", "-o", program, try source(recipe.file)] + flags
    )
    guard result.status == 0 else { throw MeasurementError(result.errors) }
    return program
  }
}
