import LinuxSystem
import TestSupport

/// A print scheduler of one test, with a printer that throws away what it prints; ends with the value.
///
/// Needs the Debian package cups-daemon. It listens at a socket, so that no port has to be free, and runs
/// as `lp`, since it refuses to run as root.
final class PrintServer: Sendable {
  static let printer = "Fake"
  private let directory: TemporaryDirectory
  private let scheduler: LineProcess

  init() async throws {
    directory = try TemporaryDirectory(mode: 0o755)
    let top = directory.path
    for name in ["root", "spool", "cache", "state", "log", "tmp"] {
      try FileSystem.makeDirectory(top.appending(name), mode: 0o755)
    }
    try File(
      "cupsd.conf",
      """
      Listen \(top)/socket
      LogLevel warn
      Browsing Off
      WebInterface No
      DefaultAuthType None
      PreserveJobHistory Yes
      PreserveJobFiles Yes
      DirtyCleanInterval 0
      PageLogFormat %p job %j title <%{job-name}>
      <Location />
        Order allow,deny
        Allow all
      </Location>
      <Policy default>
        JobPrivateAccess all
        JobPrivateValues none
        <Limit All>
          Order allow,deny
          Allow all
        </Limit>
      </Policy>

      """
    ).write(into: top)
    try File(
      "cups-files.conf",
      """
      FileDevice Yes
      User lp
      Group lp
      SystemGroup root
      ServerRoot \(top)/root
      RequestRoot \(top)/spool
      CacheDir \(top)/cache
      StateDir \(top)/state
      TempDir \(top)/tmp
      AccessLog \(top)/log/access
      ErrorLog \(top)/log/error
      PageLog \(top)/log/page

      """
    ).write(into: top)
    try File(
      "printers.conf",
      """
      <DefaultPrinter \(Self.printer)>
      DeviceURI file:///dev/null
      State Idle
      Accepting Yes
      Shared No
      JobSheets none none
      </DefaultPrinter>

      """
    ).write(into: top.appending("root"))
    let words = [
      "-f", "-c", "\(top)/cupsd.conf", "-s", "\(top)/cups-files.conf",
    ]
    let variables = ["PATH=/usr/sbin:/usr/bin:/bin", "LC_ALL=C.UTF-8"]
    if Environment.user == 0 {
      try ChildProcess(FilePath("/bin/chown"), ["-R", "lp:lp", top.description]).wait()
      scheduler = try LineProcess(
        FilePath("/usr/bin/setpriv"),
        ["--reuid=lp", "--regid=lp", "--clear-groups", "--", "/usr/sbin/cupsd"] + words,
        environment: variables
      )
    } else {
      scheduler = try LineProcess(
        FilePath("/usr/sbin/cupsd"),
        words,
        environment: variables
      )
    }
    let (process, socket) = (scheduler, top.appending("socket"))
    do {
      try await eventually("the scheduler listens") {
        FileSystem.exists(socket)
      }
    } catch {
      process.kill()
      throw error
    }
  }

  deinit { scheduler.kill() }

  /// What programs find it by.
  var environment: [String] { ["CUPS_SERVER=\(directory.path)/socket"] }

  /// What it says of the jobs that were printed: printer, number and title.
  var pages: [String] { lines(of: "log", "page") }

  /// What was in the file of a job.
  func contents(of job: Int) -> String {
    let digits = "0000\(job)".suffix(5)
    return lines(of: "spool", "d\(digits)-001").joined(separator: "\n")
  }

  /// How often it was to be printed: a number that a job's record has behind its name.
  func copies(of job: Int) -> Int? {
    let record = bytes(of: "spool", "c\("0000\(job)".suffix(5))")
    let name = Array("copies".utf8) + [0, 4]
    for start in record.indices where record[start...].starts(with: name) {
      let number = record[start...].dropFirst(name.count).prefix(4)
      return number.reduce(0) { $0 << 8 | Int($1) }
    }
    return nil
  }

  private func lines(of folder: String, _ name: String) -> [String] {
    String(decoding: bytes(of: folder, name), as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  private func bytes(of folder: String, _ name: String) -> [UInt8] {
    let path = directory.path.appending(folder).appending(name)
    // What is not there yet has nothing in it.
    guard let file = try? Descriptor.open(path, .readOnly) else { return [] }
    return (try? file.readToEnd()) ?? []
  }
}
