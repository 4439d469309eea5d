import Foundation
import Fuse

/// The program: shows a provider's folder to programs that do not coordinate.
public enum MountProgram {
  static let usage = """
    usage: provider-mount PROVIDER MOUNTPOINT
    PROVIDER is an identifier (filecoord providers list), or the path of a provider's folder.
    MOUNTPOINT is an empty directory. Says “mounted” when it is, and stays until it is unmounted
    (fusermount3 -u MOUNTPOINT) or gets SIGTERM or SIGINT.
    """

  /// Mounts as its arguments say, and serves; the main thread, which it blocks, before there are others.
  ///
  /// - Returns: the status to exit with.
  public static func run(_ arguments: [String]) -> Int32 {
    FuseMount.holdSignals()
    do throws(MountError) {
      if arguments == ["--help"] {
        print(usage)
        return 0
      }
      guard arguments.count == 2 else { throw .usage }
      try mount(arguments[0], at: arguments[1])
      return 0
    } catch {
      FileHandle.standardError.write(Data("provider-mount: \(error)\n".utf8))
      return error.status
    }
  }

  private static func mount(_ name: String, at mountpoint: String) throws(MountError) {
    CurrentUser.raiseFileLimit()
    let plan = try MountPlan(name, at: mountpoint)
    try FuseAvailability().check()
    let folder = ProviderFolder(plan.folder) {
      // Whoever started us may have gone.
      try? FileHandle.standardOutput.write(contentsOf: Data("mounted \(plan.mountpoint)\n".utf8))
    }
    let mount = FuseMount(at: plan.mountpoint, name: plan.provider, type: "provider-mount")
    do throws(SystemErrno) {
      try mount.serve(folder, onTermination: { folder.cancelAll() })
    } catch {
      throw .refused(plan.mountpoint, error)
    }
    folder.endAll()
  }
}
