package import LinuxSystem

/// Programs that belong to the running one, but are built or installed by themselves.
package enum CompanionProgram {
  /// The program of this name beside the one that runs, else in `../libexec/file-coordination` from
  /// there, else in PATH; nil: it is not installed.
  package static func find(_ name: String) -> FilePath? {
    // Without /proc there is no telling what lies beside us.
    if let directory = (try? FileSystem.readLink(FilePath("/proc/self/exe")))?.parent {
      let libexec = directory.parent?.appending("libexec").appending("file-coordination")
      for place in [directory, libexec] {
        if let file = place?.appending(name), ToolRun.isProgram(file) { return file }
      }
    }
    return ToolRun.find(name)
  }
}
