import CGIO
package import LinuxSystem

/// Opens files in a program.
package struct ProgramLaunch: Sendable {
  package let program: DesktopProgram
  /// What goes to it, in this order.
  package let files: [FilePath]
  /// Variables that it gets beside ours; those of nil it does not get.
  package var variables: [String: String?] = [:]
  /// What goes to a program that is started over the bus, which has no environment of ours.
  package var annotation: [UInt8]?
  /// What the compositor gave out so that the program may take the focus.
  package var activationToken: String?

  package init(_ program: DesktopProgram, _ files: [FilePath]) {
    self.program = program
    self.files = files
  }

  /// What was started.
  package enum Result: Hashable, Sendable {
    /// These processes, which are not our children.
    case processes([Int32])
    /// A program on the bus, which has said that it took the files.
    case bus
  }

  /// Starts the program, or tells the one that runs; blocks until it was started, or has answered.
  ///
  /// Nothing is interpreted by a shell. If this process dies, the program goes on.
  /// - Throws: ``DesktopError``: `badEntry` for an entry that must not be run, `failed` for a program that
  ///   could not be started or refused.
  package func start() throws(DesktopError) -> Result {
    if program.isActivatable, let result = try open() { return result }
    return .processes(try spawn())
  }

  private var uris: [String] { files.map { $0.fileURLText(isDirectory: false) } }

  /// An id in the manner of the startup notification protocol; no two are alike.
  private var startupID: String {
    let now = MonotonicInstant.now.nanoseconds
    return "file-coordination-\(ProcessIdentity.ownNumber)-\(now)_TIME\(now / 1_000_000)"
  }

  /// Over the bus, or nil: there is none, or nobody on it knows the program.
  private func open() throws(DesktopError) -> Result? {
    var path = "/"
    for character in program.identifier {
      path.append(character == "." ? "/" : character == "-" ? "_" : character)
    }
    guard unsafe g_variant_is_object_path(path) != 0,
      unsafe g_dbus_is_name(program.identifier) != 0
    else { return nil }
    let strings = GLibStrings(uris)
    let startupID = startupID
    let arguments = unsafe strings.with { uris in
      if let annotation {
        return unsafe annotation.withUnsafeBytes { bytes in
          unsafe dp_open_arguments(uris, startupID, activationToken, bytes.baseAddress, bytes.count)
        }
      }
      return unsafe dp_open_arguments(uris, startupID, activationToken, nil, 0)
    }
    var error: UnsafeMutablePointer<GError>?
    let answer = unsafe dp_call(
      program.identifier,
      path,
      "org.freedesktop.Application",
      "Open",
      arguments,
      25000,
      &error
    )
    if let answer = unsafe answer {
      unsafe g_variant_unref(answer)
      return .bus
    }
    if unsafe dp_is_nobody(error) {
      unsafe g_error_free(error)
      return nil
    }
    throw DesktopError(.failed, unsafe "\(program.name): \(GLibText.message(error))")
  }

  private func spawn() throws(DesktopError) -> [Int32] {
    let line = ExecLine(program.commandLine ?? "")
    if let fault = line.fault {
      throw DesktopError(
        .badEntry,
        "\(program.id): its command line is not run, because \(fault)"
      )
    }
    guard let context = unsafe g_app_launch_context_new() else {
      throw DesktopError(.failed, "\(program.name): no memory")
    }
    defer { unsafe g_object_unref(context) }
    for (name, value) in variables.merging(startupVariables, uniquingKeysWith: { own, _ in own }) {
      if let value {
        unsafe g_app_launch_context_setenv(context, name, value)
      } else {
        unsafe g_app_launch_context_unsetenv(context, name)
      }
    }
    var list: UnsafeMutablePointer<GList>?
    for uri in uris.reversed() { unsafe list = g_list_prepend(list, g_strdup(uri)) }
    defer { unsafe g_list_free_full(list, g_free) }
    let pids = unsafe g_array_new(0, 0, guint(MemoryLayout<GPid>.size))
    defer { unsafe g_array_unref(pids) }
    var error: UnsafeMutablePointer<GError>?
    let isStarted = unsafe program.with { unsafe dp_launch($0, list, context, pids, &error) }
    guard isStarted else {
      throw DesktopError(.failed, unsafe "\(program.name): \(GLibText.message(error))")
    }
    return unsafe (0..<(pids?.pointee.len ?? 0)).map { unsafe dp_pid_at(pids, $0) }
  }

  /// What the startup notification protocol says a program finds in its environment; ours are not its.
  private var startupVariables: [String: String?] {
    [
      "DESKTOP_STARTUP_ID": program.notifiesStart ? startupID : nil,
      "XDG_ACTIVATION_TOKEN": activationToken,
    ]
  }
}
