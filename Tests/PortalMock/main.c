// Plays the user of file dialogs, for tests and benchmarks without a display.
//
//   portal-mock backend   is the backend of xdg-desktop-portal (org.freedesktop.impl.portal.desktop.mock)
//   portal-mock portal    is the portal itself (org.freedesktop.portal.Desktop): for answers that the real
//                         one never gives
//   portal-mock client N  calls OpenFile for each of N lines; says the nanoseconds of each
//
// The title of a dialog says what the user does: `pick URI…`, `cancel`, `end`, `wait`, and of the portal
// `die`, `elsewhere URI`, `late URI` (the first two calls of Close fail). With PORTAL_MOCK_SCRIPT the lines
// of that file say it instead, one for each dialog; after the last the user cancels. Every call is said on
// standard output, a line each.
//
// Where a program is to be chosen, or a file is to be opened, the file's name says it: it begins with `cancel`,
// `end`, `wait` or, of the portal, `die`; else the program is taken whose name begins with `receiver`.
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *backend_xml =
    "<node><interface name='org.freedesktop.impl.portal.FileChooser'>"
    "<method name='OpenFile'><arg type='o' direction='in'/><arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='s' direction='in'/><arg type='a{sv}' direction='in'/><arg type='u' direction='out'/>"
    "<arg type='a{sv}' direction='out'/></method>"
    "<method name='SaveFile'><arg type='o' direction='in'/><arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='s' direction='in'/><arg type='a{sv}' direction='in'/><arg type='u' direction='out'/>"
    "<arg type='a{sv}' direction='out'/></method>"
    "<method name='SaveFiles'><arg type='o' direction='in'/><arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='s' direction='in'/><arg type='a{sv}' direction='in'/><arg type='u' direction='out'/>"
    "<arg type='a{sv}' direction='out'/></method></interface>"
    "<interface name='org.freedesktop.impl.portal.AppChooser'>"
    "<method name='ChooseApplication'><arg type='o' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='s' direction='in'/><arg type='as' direction='in'/><arg type='a{sv}' direction='in'/>"
    "<arg type='u' direction='out'/><arg type='a{sv}' direction='out'/></method>"
    "<method name='UpdateChoices'><arg type='o' direction='in'/><arg type='as' direction='in'/></method></interface>"
    "<interface name='org.freedesktop.portal.OpenURI'>"
    "<method name='OpenFile'><arg type='s' direction='in'/><arg type='h' direction='in'/>"
    "<arg type='a{sv}' direction='in'/><arg type='o' direction='out'/></method>"
    "<method name='OpenDirectory'><arg type='s' direction='in'/><arg type='h' direction='in'/>"
    "<arg type='a{sv}' direction='in'/><arg type='o' direction='out'/></method>"
    "<property name='version' type='u' access='read'/></interface>"
    "<interface name='org.freedesktop.impl.portal.Request'><method name='Close'/></interface>"
    "<interface name='org.freedesktop.portal.FileChooser'>"
    "<method name='OpenFile'><arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='a{sv}' direction='in'/><arg type='o' direction='out'/></method>"
    "<property name='version' type='u' access='read'/></interface>"
    "<interface name='org.freedesktop.portal.Request'><method name='Close'/>"
    "<signal name='Response'><arg type='u'/><arg type='a{sv}'/></signal></interface></node>";

static GDBusNodeInfo *info;
static int refusals;

static void say(const char *what, GVariant *value) {
  char *text = value ? g_variant_print(value, TRUE) : g_strdup("");
  printf("%s %s\n", what, text);
  fflush(stdout);
  g_free(text);
}

// What the user does in the next dialog.
static const char *deed(const char *title) {
  static int number;
  const char *script = g_getenv("PORTAL_MOCK_SCRIPT");
  if (!script) return title;
  char *text = NULL;
  if (!g_file_get_contents(script, &text, NULL, NULL)) return "cancel";
  char **lines = g_strsplit(text, "\n", -1);
  const char *line = number < (int)g_strv_length(lines) && *lines[number] ? lines[number++] : "cancel";
  g_free(text);
  return line; // the lines are never freed: there are few
}

static GVariant *results(const char *title, guint32 *code) {
  GVariantBuilder all, uris;
  g_variant_builder_init(&all, G_VARIANT_TYPE("a{sv}"));
  g_variant_builder_init(&uris, G_VARIANT_TYPE("as"));
  char **words = g_strsplit(title, " ", -1);
  *code = strcmp(words[0], "cancel") == 0 ? 1 : strcmp(words[0], "end") == 0 ? 2 : 0;
  for (int i = 1; words[0] && words[i]; i++) g_variant_builder_add(&uris, "s", words[i]);
  g_strfreev(words);
  g_variant_builder_add(&all, "{sv}", "uris", g_variant_builder_end(&uris));
  return g_variant_builder_end(&all);
}

// MARK: the backend

struct waiting { GDBusMethodInvocation *call; guint object; };

static void request_called(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                           const char *method, GVariant *arguments, GDBusMethodInvocation *call, gpointer data) {
  (void)sender; (void)interface; (void)arguments;
  struct waiting *waiting = data;
  say(method, g_variant_new_string(path));
  g_dbus_method_invocation_return_value(call, NULL);
  GVariantBuilder none;
  g_variant_builder_init(&none, G_VARIANT_TYPE("a{sv}"));
  g_dbus_method_invocation_return_value(waiting->call, g_variant_new("(u@a{sv})", 2, g_variant_builder_end(&none)));
  g_dbus_connection_unregister_object(bus, waiting->object);
}
static const GDBusInterfaceVTable request_table = {.method_call = request_called};

static void wait_for_close(GDBusConnection *bus, const char *handle, GDBusMethodInvocation *call) {
  struct waiting *waiting = g_new0(struct waiting, 1);
  waiting->call = call;
  waiting->object = g_dbus_connection_register_object(
      bus, handle, g_dbus_node_info_lookup_interface(info, "org.freedesktop.impl.portal.Request"), &request_table,
      waiting, g_free, NULL);
  say("waiting", NULL);
}

static void chooser_called(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                           const char *method, GVariant *arguments, GDBusMethodInvocation *call, gpointer data) {
  (void)sender; (void)path; (void)interface; (void)data;
  if (strcmp(method, "ChooseApplication") != 0) {
    g_dbus_method_invocation_return_value(call, NULL);
    return;
  }
  const char *handle, *app, *parent, *file = "", *choice = "";
  GVariant *choices, *options;
  g_variant_get(arguments, "(&o&s&s@as@a{sv})", &handle, &app, &parent, &choices, &options);
  say(method, arguments);
  g_variant_lookup(options, "filename", "&s", &file);
  if (g_str_has_prefix(file, "wait")) {
    wait_for_close(bus, handle, call);
    return;
  }
  GVariantIter all;
  const char *name;
  g_variant_iter_init(&all, choices);
  while (g_variant_iter_next(&all, "&s", &name))
    if (g_str_has_prefix(name, "receiver")) choice = name;
  guint32 code = g_str_has_prefix(file, "cancel") ? 1 : g_str_has_prefix(file, "end") ? 2 : 0;
  GVariantBuilder answer;
  g_variant_builder_init(&answer, G_VARIANT_TYPE("a{sv}"));
  if (code == 0) g_variant_builder_add(&answer, "{sv}", "choice", g_variant_new_string(choice));
  g_dbus_method_invocation_return_value(call, g_variant_new("(ua{sv})", code, &answer));
}
static const GDBusInterfaceVTable chooser_table = {.method_call = chooser_called};

static void backend_called(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                           const char *method, GVariant *arguments, GDBusMethodInvocation *call, gpointer data) {
  (void)sender; (void)path; (void)interface; (void)data;
  const char *handle, *app, *parent, *title;
  GVariant *options;
  g_variant_get(arguments, "(&o&s&s&s@a{sv})", &handle, &app, &parent, &title, &options);
  char *what = g_strdup_printf("%s parent='%s'", method, parent);
  say(what, options);
  g_free(what);
  title = deed(title);
  if (strcmp(title, "wait") == 0) {
    wait_for_close(bus, handle, call);
    return;
  }
  guint32 code;
  GVariant *answer = results(title, &code);
  g_dbus_method_invocation_return_value(call, g_variant_new("(u@a{sv})", code, answer));
  g_variant_unref(options);
}
static const GDBusInterfaceVTable backend_table = {.method_call = backend_called};

// MARK: the portal

static void close_called(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                         const char *method, GVariant *arguments, GDBusMethodInvocation *call, gpointer data) {
  (void)bus; (void)sender; (void)interface; (void)arguments; (void)data;
  if (refusals > 0) {
    refusals--;
    say("refused", NULL);
    g_dbus_method_invocation_return_dbus_error(call, "org.freedesktop.DBus.Error.UnknownMethod", "not there yet");
    return;
  }
  say(method, g_variant_new_string(path));
  g_dbus_method_invocation_return_value(call, NULL);
}
static const GDBusInterfaceVTable close_table = {.method_call = close_called};

static void portal_called(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                          const char *method, GVariant *arguments, GDBusMethodInvocation *call, gpointer data) {
  (void)path; (void)interface; (void)data;
  const char *parent, *title, *token = "none";
  GVariant *options;
  g_variant_get(arguments, "(&s&s@a{sv})", &parent, &title, &options);
  say(method, options);
  g_variant_lookup(options, "handle_token", "&s", &token);
  char *name = g_strdelimit(g_strdup(sender + 1), ".", '_');
  gboolean elsewhere = g_str_has_prefix(title, "elsewhere");
  char *handle = g_strdup_printf("/org/freedesktop/portal/desktop/request/%s/%s%s", name, token, elsewhere ? "_old" : "");
  if (strcmp(title, "die") == 0) {
    g_dbus_method_invocation_return_value(call, g_variant_new("(o)", handle));
    g_dbus_connection_flush_sync(bus, NULL, NULL);
    exit(0);
  }
  gboolean waits = g_str_has_prefix(title, "late") || strcmp(title, "wait") == 0;
  if (g_str_has_prefix(title, "late")) refusals = 2;
  g_dbus_connection_register_object(bus, handle,
                                    g_dbus_node_info_lookup_interface(info, "org.freedesktop.portal.Request"),
                                    &close_table, NULL, NULL, NULL);
  g_dbus_method_invocation_return_value(call, g_variant_new("(o)", handle));
  if (!waits) {
    guint32 code;
    GVariant *answer = results(title, &code);
    g_dbus_connection_emit_signal(bus, sender, handle, "org.freedesktop.portal.Request", "Response",
                                  g_variant_new("(u@a{sv})", code, answer), NULL);
  }
  g_free(handle);
  g_free(name);
  g_variant_unref(options);
}
static void opener_called(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                          const char *method, GVariant *arguments, GDBusMethodInvocation *call, gpointer data) {
  (void)path; (void)interface; (void)data;
  const char *parent, *token = "none";
  gint32 index;
  GVariant *options;
  g_variant_get(arguments, "(&sh@a{sv})", &parent, &index, &options);
  g_variant_lookup(options, "handle_token", "&s", &token);
  GUnixFDList *files = g_dbus_message_get_unix_fd_list(g_dbus_method_invocation_get_message(call));
  int file = files ? g_unix_fd_list_get(files, index, NULL) : -1;
  char *link = g_strdup_printf("/proc/self/fd/%d", file), *target = g_file_read_link(link, NULL);
  char *base = g_path_get_basename(target ? target : "none");
  char *what = g_strdup_printf("%s parent='%s' %s %s", method, parent, target ? target : "none",
                               (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR ? "rw" : "ro");
  say(what, options);
  char *name = g_strdelimit(g_strdup(sender + 1), ".", '_');
  char *handle = g_strdup_printf("/org/freedesktop/portal/desktop/request/%s/%s", name, token);
  g_dbus_method_invocation_return_value(call, g_variant_new("(o)", handle));
  if (g_str_has_prefix(base, "die")) {
    g_dbus_connection_flush_sync(bus, NULL, NULL);
    exit(0);
  }
  if (g_str_has_prefix(base, "wait")) {
    g_dbus_connection_register_object(bus, handle,
                                      g_dbus_node_info_lookup_interface(info, "org.freedesktop.portal.Request"),
                                      &close_table, NULL, NULL, NULL);
  } else {
    guint32 code = g_str_has_prefix(base, "cancel") ? 1 : g_str_has_prefix(base, "end") ? 2 : 0;
    GVariantBuilder none;
    g_variant_builder_init(&none, G_VARIANT_TYPE("a{sv}"));
    g_dbus_connection_emit_signal(bus, sender, handle, "org.freedesktop.portal.Request", "Response",
                                  g_variant_new("(ua{sv})", code, &none), NULL);
  }
  if (file >= 0) close(file);
  g_free(link); g_free(target); g_free(base); g_free(what); g_free(name); g_free(handle);
}

static GVariant *portal_property(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                                 const char *name, GError **error, gpointer data) {
  (void)bus; (void)sender; (void)path; (void)interface; (void)name; (void)error; (void)data;
  return g_variant_new_uint32(3);
}
static const GDBusInterfaceVTable portal_table = {.method_call = portal_called, .get_property = portal_property};
static const GDBusInterfaceVTable opener_table = {.method_call = opener_called, .get_property = portal_property};

// MARK: a client, as short as it can be

struct call { GMainLoop *loop; gboolean done; };
static void responded(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                      const char *signal, GVariant *arguments, gpointer data) {
  (void)bus; (void)sender; (void)path; (void)interface; (void)signal; (void)arguments;
  struct call *call = data;
  call->done = TRUE;
  g_main_loop_quit(call->loop);
}

static int client(GDBusConnection *bus, int count) {
  char *name = g_strdelimit(g_strdup(g_dbus_connection_get_unique_name(bus) + 1), ".", '_');
  struct call call = {g_main_loop_new(NULL, FALSE), FALSE};
  for (int i = 0; i < count; i++) {
    struct timespec before, after;
    // A line begins a round, so that others can be measured in between.
    for (int letter; (letter = getchar()) != '\n';)
      if (letter == EOF) return 0;
    clock_gettime(CLOCK_MONOTONIC, &before);
    char *token = g_strdup_printf("bare%d", i);
    char *path = g_strdup_printf("/org/freedesktop/portal/desktop/request/%s/%s", name, token);
    call.done = FALSE;
    guint number = g_dbus_connection_signal_subscribe(bus, "org.freedesktop.portal.Desktop",
        "org.freedesktop.portal.Request", "Response", path, NULL, G_DBUS_SIGNAL_FLAGS_NONE, responded, &call, NULL);
    GVariantBuilder options;
    g_variant_builder_init(&options, G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(&options, "{sv}", "handle_token", g_variant_new_string(token));
    g_variant_builder_add(&options, "{sv}", "modal", g_variant_new_boolean(TRUE));
    g_variant_builder_add(&options, "{sv}", "multiple", g_variant_new_boolean(FALSE));
    GVariant *reply = g_dbus_connection_call_sync(bus, "org.freedesktop.portal.Desktop",
        "/org/freedesktop/portal/desktop", "org.freedesktop.portal.FileChooser", "OpenFile",
        g_variant_new("(ssa{sv})", "", "pick file:///tmp/a", &options), NULL, G_DBUS_CALL_FLAGS_NONE, 25000, NULL, NULL);
    if (!reply) return 1;
    g_variant_unref(reply);
    if (!call.done) g_main_loop_run(call.loop);
    g_dbus_connection_signal_unsubscribe(bus, number);
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("%lld\n", (after.tv_sec - before.tv_sec) * 1000000000LL + after.tv_nsec - before.tv_nsec);
    fflush(stdout);
    g_free(token);
    g_free(path);
  }
  return 0;
}

static void named(GDBusConnection *bus, const char *name, gpointer data) {
  (void)bus; (void)data;
  printf("ready %s\n", name);
  fflush(stdout);
}

int main(int count, char **words) {
  GError *error = NULL;
  if (count < 2) return 64;
  GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, &error);
  if (!bus) {
    fprintf(stderr, "portal-mock: %s\n", error->message);
    return 1;
  }
  if (strcmp(words[1], "client") == 0) return client(bus, count > 2 ? atoi(words[2]) : 1);
  info = g_dbus_node_info_new_for_xml(backend_xml, &error);
  gboolean is_portal = strcmp(words[1], "portal") == 0;
  g_dbus_connection_register_object(
      bus, "/org/freedesktop/portal/desktop",
      g_dbus_node_info_lookup_interface(
          info, is_portal ? "org.freedesktop.portal.FileChooser" : "org.freedesktop.impl.portal.FileChooser"),
      is_portal ? &portal_table : &backend_table, NULL, NULL, NULL);
  g_dbus_connection_register_object(
      bus, "/org/freedesktop/portal/desktop",
      g_dbus_node_info_lookup_interface(
          info, is_portal ? "org.freedesktop.portal.OpenURI" : "org.freedesktop.impl.portal.AppChooser"),
      is_portal ? &opener_table : &chooser_table, NULL, NULL, NULL);
  g_bus_own_name_on_connection(
      bus, is_portal ? "org.freedesktop.portal.Desktop" : "org.freedesktop.impl.portal.desktop.mock",
      G_BUS_NAME_OWNER_FLAGS_REPLACE, named, NULL, NULL, NULL);
  g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
