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
      PageLogFormat %p job %j copies %C title <%{job-name}>
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
      ErrorLog stderr
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

  /// What it says of the jobs that were printed: printer, number, copies and title.
  var pages: [String] { lines(of: "log", "page") }

  /// What was in the file of a job.
  func contents(of job: Int) -> String {
    let digits = "0000\(job)".suffix(5)
    return lines(of: "spool", "d\(digits)-001").joined(separator: "\n")
  }

  private func lines(of folder: String, _ name: String) -> [String] {
    // What is not there yet has no lines.
    guard
      let file = try? Descriptor.open(
        directory.path.appending(folder).appending(name),
        .readOnly
      ), let bytes = try? file.readToEnd()
    else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
