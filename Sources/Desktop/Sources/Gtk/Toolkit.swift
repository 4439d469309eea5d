import CGtk
import Documents

/// GTK, and its loop on the main thread.
///
/// The loop also serves the main dispatch queue, so that main-actor tasks, `DispatchQueue.main` and
/// `OperationQueue.main` run in it, and it is what ``Documents/MainLoopHook`` is told to use: a document's
/// completion handlers come between two of GTK's events.
@MainActor package enum Toolkit {
  private static let loop = unsafe g_main_loop_new(nil, 0)

  /// Connects to the display; to be called before anything else here, once; false: there is none.
  ///
  /// - SeeAlso: https://docs.gtk.org/gtk4/func.init_check.html
  package static func start(program: String) -> Bool {
    unsafe g_set_prgname(program)
    guard gtk_init_check() != 0 else { return false }
    gw_attach_main_queue()
    MainLoopHook.install { addIdle($0) }
    return true
  }

  /// Runs the loop until ``quit()``.
  package static func run() { unsafe g_main_loop_run(loop) }

  /// Ends ``run()`` when what runs now has returned.
  package static func quit() { unsafe g_main_loop_quit(loop) }

  /// Adds to the style of all windows.
  package static func addStyle(_ css: String) { unsafe gw_add_style(css) }

  /// Has `work` run once, soon, on the main thread; what one thread adds keeps its order.
  private nonisolated static func addIdle(_ work: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Work(work)).toOpaque()
    unsafe g_idle_add_full(
      G_PRIORITY_DEFAULT,
      { data in
        guard let data = unsafe data else { return 0 }
        unsafe Unmanaged<Work>.fromOpaque(data).takeUnretainedValue().run()
        return 0
      },
      box,
      { data in
        guard let data = unsafe data else { return }
        unsafe Unmanaged<Work>.fromOpaque(data).release()
      }
    )
  }

  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
