import CGIO
import LinuxSystem

/// An object of GLib's that is safe to use from any thread; owns one reference.
// @unchecked because GDBusConnection is thread-safe by its documentation, and the pointer never
// changes.
@safe final class BusObject: @unchecked Sendable {
  let pointer: OpaquePointer
  init(owning pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }
  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

/// A thread that runs a main loop of GLib's of its own.
// @unchecked because GMainContext and GMainLoop are thread-safe by their documentation, and the
// pointers never change.
@safe final class BusLoop: @unchecked Sendable {
  private let context: OpaquePointer
  private let loop: OpaquePointer

  init() throws(SystemError) {
    unsafe context = g_main_context_new()
    unsafe loop = g_main_loop_new(context, 0)
    let shared = unsafe Shared(context, loop)
    try BlockingThread.start("fc-bus") { shared.run() }
  }

  deinit {
    unsafe g_main_loop_unref(loop)
    unsafe g_main_context_unref(context)
  }

  /// Ends the thread, after what was handed to it before.
  func quit() {
    let shared = unsafe Shared(context, loop)
    run { shared.quit() }
  }

  /// Runs `body` on the thread, soon.
  func run(_ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Body(body))
    let source = unsafe g_idle_source_new()
    unsafe g_source_set_priority(source, G_PRIORITY_DEFAULT)
    unsafe g_source_set_callback(
      source,
      { data in
        if let data = unsafe data {
          unsafe Unmanaged<Body>.fromOpaque(data).takeUnretainedValue().run()
        }
        return 0
      },
      box.toOpaque(),
      { data in
        if let data = unsafe data { unsafe Unmanaged<Body>.fromOpaque(data).release() }
      }
    )
    unsafe g_source_attach(source, context)
    unsafe g_source_unref(source)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// The same two, with references of their own, for a closure that outlives the value.
  // @unchecked because of the same two reasons.
  @safe private final class Shared: @unchecked Sendable {
    private let context: OpaquePointer
    private let loop: OpaquePointer
    init(_ context: OpaquePointer, _ loop: OpaquePointer) {
      unsafe self.context = g_main_context_ref(context)
      unsafe self.loop = g_main_loop_ref(loop)
    }
    deinit {
      unsafe g_main_loop_unref(loop)
      unsafe g_main_context_unref(context)
    }
    func run() {
      unsafe g_main_context_push_thread_default(context)
      unsafe g_main_loop_run(loop)
      unsafe g_main_context_pop_thread_default(context)
    }
    func quit() { unsafe g_main_loop_quit(loop) }
  }
}
