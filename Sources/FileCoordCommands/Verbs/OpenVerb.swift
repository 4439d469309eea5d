import DesktopPrograms
import DocumentInteraction
import FileCoordination
import Foundation
import LinuxSystem

/// `filecoord open`: items in the programs of the desktop.
enum OpenVerb: Verb {
  private static let with = OptionDescription(
    "with",
    "w",
    argument: "APP",
    "in this program: the name of its desktop entry, or what it is called"
  )
  private static let ask = OptionDescription("ask", "a", "show the programs and ask for one")
  private static let copy = OptionDescription("copy", "c", "hand over a copy, which is read only")

  static let description = VerbDescription(
    "open",
    ["[OPTION]... PATH..."],
    "opens items in the program that the user prefers for their type",
    options: [with, ask, copy, Coordination.timeout],
    details: """
      Programs and preferences are those of the desktop (see 'filecoord apps'). Each PATH is
      handed over by itself, under a coordinated read that lasts until the program has opened
      it, has ended, or three seconds are over: nobody writes the item meanwhile. filecoord
      does not wait for the program to end. Nothing is interpreted by a shell. Within a sandbox
      the desktop's portal opens the item, in a program that the user prefers or chooses:
      --with is refused there.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    guard !arguments.operands.isEmpty else { throw CommandFailure(.usage, "no PATH") }
    let name = try arguments.text(with)
    guard name == nil || !arguments.has(ask) else {
      throw CommandFailure(.usage, "--with and --ask exclude each other")
    }
    let coordination = try Coordination(arguments, surroundings)
    return try forEach(of: arguments.operands, surroundings) { word in
      try open(word, name, arguments, coordination, surroundings)
    }
  }

  private static func open(
    _ word: FilePath,
    _ name: String?,
    _ arguments: ParsedArguments,
    _ coordination: Coordination,
    _ surroundings: Surroundings
  ) throws {
    let path = try Operand.path(word)
    _ = try Operand.existing(path, followingLink: true)
    if Confinement.isConfined {
      return try openOutside(path, name, arguments, coordination, surroundings)
    }
    let program: DesktopProgram
    if let name {
      program = try find(name, path)
    } else {
      let type = try AppsVerb.type(of: path)
      let programs = DesktopPrograms.menu(for: type)
      guard let first = programs.first else {
        throw CommandFailure(.failure, "\(path): no program for \(type) is installed")
      }
      if arguments.has(ask) {
        guard let chosen = try choose(programs, path, surroundings) else { return }
        program = chosen
      } else {
        program = first
      }
    }
    var handOff = HandOff(url: path.urlOnDisk, program: program.id)
    handOff.opensInPlace = !arguments.has(copy)
    handOff.timeLimit = coordination.timeLimit
    let ready = handOff
    try coordination.run { try ready.run($0) }
  }

  /// From within a sandbox; returns when a program was started, or the user wants none.
  private static func openOutside(
    _ path: FilePath,
    _ name: String?,
    _ arguments: ParsedArguments,
    _ coordination: Coordination,
    _ surroundings: Surroundings
  ) throws {
    guard name == nil else {
      throw CommandFailure(.failure, "within a sandbox the user chooses the program, not --with")
    }
    var handOff = HandOff(url: path.urlOnDisk, program: HandOff.outside)
    handOff.asks = arguments.has(ask)
    handOff.opensInPlace = !arguments.has(copy)
    handOff.timeLimit = coordination.timeLimit
    let ready = handOff
    let interruption = surroundings.interruption
    let asked = Mutex<PendingAnswer<Bool>?>(nil)
    do {
      try interruption.during {
        let answer = try coordination.run { coordinator in
          try ready.ask(coordinator) { answer in asked.withLock { $0 = answer } }
        }
        try interruption.check()
        _ = try answer.get()
      } onSignal: { _ in
        asked.withLock { $0 }?.cancel()
      }
    } catch {
      try interruption.check()
      throw error
    }
  }

  /// By the name of its entry, else by what it is called among those for the type.
  private static func find(_ name: String, _ path: FilePath) throws -> DesktopProgram {
    if let program = DesktopProgram(id: name) { return program }
    let type = try AppsVerb.type(of: path)
    let called = DesktopPrograms.menu(for: type).filter {
      $0.name.caseInsensitiveCompare(name) == .orderedSame
    }
    guard let program = called.first else {
      throw CommandFailure(.notFound, "\(name): no such program is installed")
    }
    return program
  }

  private static func choose(
    _ programs: [DesktopProgram],
    _ path: FilePath,
    _ surroundings: Surroundings
  ) throws -> DesktopProgram? {
    try surroundings.errors.line("\(path)")
    for (index, program) in programs.enumerated() {
      try surroundings.errors.line("\(index + 1)) \(program.name)")
    }
    try surroundings.errors.text("Number, or Enter for none: ")
    var answer: [UInt8] = []
    while let byte = try StandardStream.Input().read(upTo: 1).first, byte != UInt8(ascii: "\n") {
      answer.append(byte)
    }
    if answer.isEmpty { return nil }
    guard let number = Int(String(decoding: answer, as: UTF8.self)),
      programs.indices.contains(number - 1)
    else { throw CommandFailure(.usage, "there is no such number") }
    return programs[number - 1]
  }
}
