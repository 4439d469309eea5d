import FileCoordination
import Foundation
import LinuxSystem
import PeerScript

extension Script {
  func runProcess(_ step: Step) throws {
    switch step {
    case .countDescriptors:
      emit("descriptors", "\(try FileSystem.list(FilePath("/proc/self/fd")).count)")
    case .countThreads:
      emit("threads", "\(try FileSystem.list(FilePath("/proc/self/task")).count)")
    case .fault(let call, let numbers):
      #if DEBUG
      SystemCallFaults.force(call, numbers)
      #else
      throw NotPossible("faults need a debug build")
      #endif
    case .clearFaults:
      #if DEBUG
      SystemCallFaults.clear()
      #endif
    case .spawn(let program, let arguments):
      let child = Process()
      child.executableURL = URL(fileURLWithPath: program)
      child.arguments = arguments
      child.standardOutput = FileHandle.nullDevice
      try child.run()
      emit("spawned", "\(child.processIdentifier)")
    case .fork(let path):
      let child = try ForkedChild.start {
        // Until the file is there, or its directory is gone with the test.
        let directory = FilePath(path).parent ?? FilePath("/")
        while (try? FileStatus(of: FilePath(path))) == nil,
          (try? FileStatus(of: directory)) != nil
        { ForkedChild.pause() }
        return 0
      }
      emit("forked", "\(child)")
    case .forkWrite(let path, let text):
      let child = try ForkedChild.start {
        var error: NSError?
        var wrote = false
        NSFileCoordinator().coordinate(
          writingItemAt: URL(fileURLWithPath: path),
          error: &error
        ) { url in
          let file = try? Descriptor.open(
            FilePath(url.path),
            [.writeOnly, .create, .append],
            mode: 0o666
          )
          wrote = (try? file?.write(Array(text.utf8))) != nil
        }
        return wrote && error == nil ? 0 : 1
      }
      emit("forked", "\(child)")
    case .die: ForkedChild.leave(3)
    case .interruptible: Signal.user1.interruptOnly()
    case .limitDescriptors(let count): try ResourceLimit.setDescriptors(count)
    case .torture(let member): try TortureWorker(member).run()
    default: throw NotPossible("\(step)")
    }
  }
}
