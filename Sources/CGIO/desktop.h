#pragma once
#include <gio/gdesktopappinfo.h>
#include <gio/gio.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

// Macros and variadic functions of GIO, as functions.

static inline GDesktopAppInfo *dp_desktop(GAppInfo *info) {
  return G_IS_DESKTOP_APP_INFO(info) ? G_DESKTOP_APP_INFO(info) : NULL;
}

/* The names of a themed icon, NULL-terminated and owned by it; NULL for another kind. */
static inline const char *const *dp_icon_names(GIcon *icon) {
  return G_IS_THEMED_ICON(icon) ? g_themed_icon_get_names(G_THEMED_ICON(icon)) : NULL;
}
/* The file of an icon that is one, owned by the caller. */
static inline char *dp_icon_file(GIcon *icon) {
  return G_IS_FILE_ICON(icon) ? g_file_get_path(g_file_icon_get_file(G_FILE_ICON(icon))) : NULL;
}

/* What org.freedesktop.Application.Open takes; of platform data what is not NULL. */
static inline GVariant *dp_open_arguments(const char *const *uris, const char *startup_id, const char *token,
                                          const void *annotation, size_t length) {
  GVariantBuilder data;
  g_variant_builder_init(&data, G_VARIANT_TYPE_VARDICT);
  if (startup_id) g_variant_builder_add(&data, "{sv}", "desktop-startup-id", g_variant_new_string(startup_id));
  if (token) g_variant_builder_add(&data, "{sv}", "activation-token", g_variant_new_string(token));
  if (annotation)
    g_variant_builder_add(&data, "{sv}", "x-annotation",
                          g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, annotation, length, 1));
  return g_variant_new("(^as@a{sv})", uris, g_variant_builder_end(&data));
}
/* What ShowItems of org.freedesktop.FileManager1 takes. */
static inline GVariant *dp_show_arguments(const char *const *uris, const char *startup_id) {
  return g_variant_new("(^ass)", uris, startup_id);
}
/* What ShowFile of a previewer takes; newer ones want an activation token as well. */
static inline GVariant *dp_preview_arguments(const char *uri, bool has_token) {
  return has_token ? g_variant_new("(ssbs)", uri, "", FALSE, "") : g_variant_new("(ssb)", uri, "", FALSE);
}

/* Calls a method of the session bus and waits for its end. NULL: it failed, and `error` says why. */
static inline GVariant *dp_call(const char *name, const char *path, const char *interface, const char *method,
                                GVariant *arguments, int milliseconds, GError **error) {
  g_variant_ref_sink(arguments);
  GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, error);
  GVariant *answer = NULL;
  if (bus) {
    // A desktop that ends is no reason for this process to end.
    g_dbus_connection_set_exit_on_close(bus, FALSE);
    answer = g_dbus_connection_call_sync(bus, name, path, interface, method, arguments, NULL, G_DBUS_CALL_FLAGS_NONE,
                                         milliseconds, NULL, error);
    g_object_unref(bus);
  }
  g_variant_unref(arguments);
  return answer;
}
/* Whether somebody owns a name of the session bus, or would be started for it. */
static inline bool dp_has_name(const char *name) {
  static const char *const questions[] = {"ListNames", "ListActivatableNames"};
  bool found = false;
  for (int i = 0; i < 2 && !found; i++) {
    GVariant *answer = dp_call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", questions[i],
                               g_variant_new("()"), 2000, NULL);
    if (!answer) return false;
    const char **names = NULL;
    g_variant_get(answer, "(^a&s)", &names);
    found = g_strv_contains(names, name);
    g_free(names);
    g_variant_unref(answer);
  }
  return found;
}
/* Whether the call failed because there is no bus, or nobody of that name: then nothing has begun. */
static inline bool dp_is_nobody(const GError *error) {
  return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
         (error && error->domain != G_DBUS_ERROR && !g_dbus_error_is_remote_error(error));
}

/* Programs' ids that GIO started, in the order of their start. */
static inline void dp_note_pid(GDesktopAppInfo *info, GPid pid, void *data) {
  (void)info;
  g_array_append_val((GArray *)data, pid);
}
/* In the child: the thread that starts it blocks signals, and a terminal that ends is not to end it. */
static inline void dp_set_up_child(void *data) {
  (void)data;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setsid();
}
static inline bool dp_launch(GDesktopAppInfo *info, GList *uris, GAppLaunchContext *context, GArray *pids,
                             GError **error) {
  return g_desktop_app_info_launch_uris_as_manager(info, uris, context, G_SPAWN_SEARCH_PATH, dp_set_up_child, NULL,
                                                   dp_note_pid, pids, error);
}
static inline int dp_pid_at(GArray *pids, unsigned index) { return g_array_index(pids, GPid, index); }

/* The type of an item, owned by the caller, by name, content and kind. */
static inline char *dp_content_type(const char *path, GError **error) {
  GFile *file = g_file_new_for_path(path);
  GFileInfo *info = g_file_query_info(file, G_FILE_ATTRIBUTE_STANDARD_CONTENT_TYPE, G_FILE_QUERY_INFO_NONE, NULL, error);
  char *type = info ? g_strdup(g_file_info_get_content_type(info)) : NULL;
  if (info) g_object_unref(info);
  g_object_unref(file);
  return type;
}
