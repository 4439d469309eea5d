import BenchmarkHarness
import Foundation
import LinuxSystem

/// Something whose system calls are counted, in one of the processes that take part in it.
struct Operation: Sendable {
  let name: String
  /// Calls whose number depends on which thread happens to run when, not on us alone.
  var varying: [String] = []
  /// Sets the stage for one count.
  ///
  /// What comes back does the operation so many times, and holds whatever must stay alive.
  let prepare: @Sendable (Stage) throws -> (Int) throws -> Void

  /// Wake-ups between threads and processes, and reads until nothing is left.
  private static let wakeUps = [
    "epoll_pwait", "epoll_wait", "futex", "poll", "ppoll", "pselect6", "read", "recvmsg",
    "restart_syscall", "write",
  ]

  /// Trees that are kept for a moment are taken again after a pause, and given up by a thread that is
  /// woken for it.
  private static let trees = ["flock", "futex"]

  /// All that are recorded.
  static let all: [Operation] = [
    access("read.uncontended", "read"),
    access("write.uncontended", "write"),
    access("structural-write.uncontended", "delete"),
    access("read.unrelated-presenters", "read", amongPresenters: true),
    access("write.unrelated-presenters", "write", amongPresenters: true),
    // The directory is looked at every 100 ms, so the slower the more often.
    Operation(name: "ask.reader", varying: wakeUps + trees + ["newfstatat"]) { stage in
      let presenter = try stage.bystander()
      _ = try presenter.ask("present-file", stage.item)
      let reader = try stage.traced()
      return { count in
        _ = try reader.ask("repeat", "read", stage.item, "\(count)")
        withExtendedLifetime(presenter) {}
      }
    },
    Operation(name: "ask.presenter", varying: wakeUps + trees) { stage in
      let presenter = try stage.traced()
      _ = try presenter.ask("present-file", stage.item)
      let reader = try stage.bystander()
      return { count in
        _ = try reader.ask("repeat", "read", stage.item, "\(count)")
        withExtendedLifetime(presenter) {}
      }
    },
    // A file that is written again with nothing between is looked at once, else twice.
    Operation(name: "event.presenter", varying: wakeUps + ["newfstatat"]) { stage in
      let presenter = try stage.traced()
      let board = try Board(creating: FilePath("\(stage.item).board"), lanes: 1)
      _ = try presenter.ask("present-counting", stage.item, board.path.description)
      let stranger = try stage.bystander()
      return { count in
        _ = try stranger.ask("disturb", stage.item, board.path.description, "\(count)")
        withExtendedLifetime(presenter) {}
      }
    },
  ]

  private static func access(
    _ name: String,
    _ kind: String,
    amongPresenters: Bool = false
  ) -> Operation {
    // One look at the directory of lock files; for 20 ms after a name was made there, one at each file.
    Operation(name: name, varying: trees + ["newfstatat"]) { stage in
      var presenter: Servant?
      if amongPresenters {
        let servant = try stage.bystander()
        _ = try servant.ask("present-files", stage.unrelated, "1000")
        presenter = servant
      }
      let servant = try stage.traced()
      let others = presenter
      return { count in
        _ = try servant.ask("repeat", kind, stage.item, "\(count)")
        withExtendedLifetime(others) {}
      }
    }
  }
}
