import CGLib

/// GLib's main loop, as a program with a GTK interface runs it.
public enum GLibLoop {
  /// Runs the default main context on this thread, for ever.
  public static func run() -> Never {
    g_main_loop_run(g_main_loop_new(nil, 0))
    preconditionFailure("nobody quits the loop")
  }

  private final class Work {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Has `work` run once on the loop's thread, after what runs there now.
  public static func addIdle(_ work: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Work(work)).toOpaque()
    g_idle_add(
      { data in
        guard let data else { return 0 }
        Unmanaged<Work>.fromOpaque(data).takeRetainedValue().run()
        return 0
      },
      box
    )
  }
}
