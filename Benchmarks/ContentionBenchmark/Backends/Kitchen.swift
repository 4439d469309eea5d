import BenchmarkHarness
import Foundation

/// Makes backends ready: compiles the small sources beside the libraries that are installed.
final class Kitchen {
  /// A row that cannot be measured here, and why.
  struct Missing: Codable, Sendable {
    let name: String
    let why: String
  }

  private(set) var ready: [Backend] = []
  private(set) var missing: [Missing] = []
  private let directory: String
  private var compiled: [String: Result<String, MeasurementError>] = [:]
  private var interpreters: [String: String?] = [:]

  /// Makes what is asked for ready, or says what is missing.
  ///
  /// `names` are the rows to make, nil for all. Blocks while compilers run.
  init(_ names: [String]?, in work: WorkDirectory) throws {
    directory = try work.makeDirectory("peers")
    for recipe in Backend.recipes where names?.contains(recipe.name) ?? true {
      do {
        ready.append(try prepare(recipe))
      } catch {
        missing.append(Missing(name: recipe.name, why: error.description))
      }
    }
  }

  private func prepare(_ recipe: Recipe) throws(MeasurementError) -> Backend {
    func backend(_ program: String, _ arguments: [String] = []) -> Backend {
      Backend(
        name: recipe.name,
        summary: recipe.summary,
        program: program,
        arguments: arguments,
        pairs: recipe.pairs
      )
    }
    let own = [ContentionBenchmark.workerVerb]
    switch recipe.source {
    case .builtIn:
      return backend(Program.own, own)
    case .command(let name):
      let beside = URL(filePath: Program.own).deletingLastPathComponent().appending(path: name).path
      let isBeside = FileManager.default.isExecutableFile(atPath: beside)
      guard let program = isBeside ? beside : Program.find(name) else {
        throw notInstalled(recipe)
      }
      var result = backend(Program.own, own)
      result.environment["BENCHMARK_FILECOORD"] = program
      return result
    case .python(let module):
      guard let interpreter = interpreter(with: module) else { throw notInstalled(recipe) }
      return backend(interpreter, [try source("python_worker.py")])
    case .compiled(let file, let compiler, let flags):
      let result = compiled[file] ?? compile(file, compiler, flags, recipe)
      compiled[file] = result
      return backend(try result.get())
    case .absent(let why):
      throw MeasurementError("not installed: \(why)")
    }
  }

  private func notInstalled(_ recipe: Recipe, _ detail: String = "") -> MeasurementError {
    MeasurementError("not installed (\(recipe.package))\(detail.isEmpty ? "" : ": \(detail)")")
  }

  private func source(_ name: String) throws(MeasurementError) -> String {
    guard let url = Bundle.module.url(forResource: "Peers", withExtension: nil) else {
      throw MeasurementError("the sources of the peers are not beside this program")
    }
    return url.appending(path: name).path
  }

  /// The first interpreter that has the module: of the virtual environment, on PATH, or Debian's.
  private func interpreter(with module: String) -> String? {
    if let known = interpreters[module] { return known }
    let parts = module.split(separator: ".", maxSplits: 1).map(String.init)
    let probe = parts.count == 2 ? "from \(parts[0]) import \(parts[1])" : "import \(module)"
    let candidates = ["python3"].compactMap(Program.find) + ["/usr/bin/python3"]
    let found = candidates.first { candidate in
      // One that cannot be started does not have it.
      (try? Program.run(candidate, ["-c", probe]))?.status == 0
    }
    interpreters[module] = .some(found)
    return found
  }

  private func compile(
    _ file: String,
    _ compiler: [String],
    _ flags: [[String]],
    _ recipe: Recipe
  ) -> Result<String, MeasurementError> {
    do {
      let path = try source(file)
      var words = compiler + ["-O2", "-pthread", "-o", "\(directory)/\(file).out", path]
      for flag in flags {
        guard let tool = Program.find(flag[0]) else { return .failure(notInstalled(recipe)) }
        let result = try Program.run(tool, Array(flag.dropFirst()))
        guard result.status == 0 else { return .failure(notInstalled(recipe)) }
        words += result.output.split { $0 == " " || $0 == "\n" }.map(String.init)
      }
      guard let tool = Program.find(words[0]) else {
        return .failure(notInstalled(recipe, "no \(words[0])"))
      }
      let result = try Program.run(tool, Array(words.dropFirst()), directory: directory)
      guard result.status == 0 else {
        let fault = result.errors.split(separator: "\n").first { $0.contains("error") } ?? ""
        return .failure(notInstalled(recipe, String(fault.suffix(80))))
      }
      return .success("\(directory)/\(file).out")
    } catch {
      return .failure(notInstalled(recipe, "\(error)"))
    }
  }
}
