import FileCoordination
import Foundation
import LinuxSystem
import Sandboxing

/// Starts a confined program and plays the user.
enum Host {
  private static let choices = Mutex<[[URL]]>([])

  static func run(_ arguments: [String]) {
    if let fault = Environment.value(of: "SANDBOX_FAULT")?.string?.split(separator: ":"),
      let number = Int32(fault[1])
    {
      SystemCallFaults.force(String(fault[0]), [number])
    }
    var sandbox = Sandbox(
      application: arguments[0],
      container: URL(fileURLWithPath: arguments[1], isDirectory: true)
    )
    if arguments[2] == "descriptors" { sandbox.documents = .descriptors }
    // The build directory, where the program's own libraries may be.
    guard let program = try? FileSystem.readLink(FilePath("/proc/self/exe")) else { return }
    let line = Pipe()
    do {
      let process = try SandboxedProcess(
        program.url(),
        arguments: ["confined"],
        in: sandbox,
        input: line.fileHandleForReading,
        choosing: { _ in choices.withLock { $0.isEmpty ? [] : $0.removeFirst() } }
      )
      say("started \(process.processIdentifier)")
      Lines.each { word, rest in
        do {
          switch word {
          case "choice":
            choices.withLock {
              $0.append(rest.split(separator: " ").map { URL(fileURLWithPath: String($0)) })
            }
            say("noted")
          case "peer": try line.fileHandleForWriting.write(contentsOf: Data("\(rest)\n".utf8))
          case "grant": say("granted \(try process.grant(URL(fileURLWithPath: rest)).path)")
          case "grant-reading":
            say("granted \(try process.grant(URL(fileURLWithPath: rest), writable: false).path)")
          case "revoke": say("revoked \(try process.revoke(URL(fileURLWithPath: rest)))")
          case "end":
            process.terminate()
            say("ended \(await process.end())")
          default: say("what? \(word)")
          }
        } catch { say("failed \(error)") }
      }
    } catch {
      say("failed \(error)")
      Environment.exit(1)
    }
  }
}
