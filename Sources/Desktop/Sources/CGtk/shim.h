#pragma once
#include <gtk/gtk.h>
#include <glib-unix.h>
#include <stdint.h>
#include <unistd.h>

// Macros, casts and variadic functions of GTK, as functions of GtkWidget; signals with typed handlers.

typedef void (*gw_free)(void *data, GClosure *closure);

// MARK: the main loop

// libdispatch's way to have its main queue served by another loop; CoreFoundation's run loop uses it.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

static inline gboolean gw_serve_main_queue(int handle, GIOCondition condition, void *data) {
  (void)condition, (void)data;
  // Taken first: what is queued while the queue is served counts anew.
  uint64_t count;
  if (read(handle, &count, sizeof count) != sizeof count) {}
  _dispatch_main_queue_callback_4CF(NULL);
  return G_SOURCE_CONTINUE;
}
/* Has GLib's default loop run what is put on the main dispatch queue; on the main thread. */
static inline void gw_attach_main_queue(void) {
  g_unix_fd_add(_dispatch_get_main_queue_handle_4CF(), G_IO_IN, gw_serve_main_queue, NULL);
}

// MARK: widgets

static inline void gw_sink(GtkWidget *widget) { g_object_ref_sink(widget); }
static inline void gw_unref(GtkWidget *widget) { g_object_unref(widget); }
static inline void gw_set_margins(GtkWidget *widget, int across, int along) {
  gtk_widget_set_margin_start(widget, across);
  gtk_widget_set_margin_end(widget, across);
  gtk_widget_set_margin_top(widget, along);
  gtk_widget_set_margin_bottom(widget, along);
}
static inline void gw_connect_plain(GtkWidget *widget, const char *signal, void (*handler)(GtkWidget *, void *),
                                    void *data, gw_free free) {
  g_signal_connect_data(widget, signal, G_CALLBACK(handler), data, free, 0);
}

static inline void gw_add_style(const char *css) {
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider, css, -1);
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(provider),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref(provider);
}

// MARK: windows

static inline GtkWidget *gw_window_new(int width, int height) {
  GtkWidget *window = gtk_window_new();
  GtkWidget *bar = gtk_header_bar_new();
  gtk_window_set_titlebar(GTK_WINDOW(window), bar);
  gtk_window_set_default_size(GTK_WINDOW(window), width, height);
  return window;
}
static inline void gw_window_set_title(GtkWidget *window, const char *title) {
  gtk_window_set_title(GTK_WINDOW(window), title);
}
static inline void gw_window_set_child(GtkWidget *window, GtkWidget *child) {
  gtk_window_set_child(GTK_WINDOW(window), child);
}
static inline void gw_window_set_parent(GtkWidget *window, GtkWidget *parent) {
  gtk_window_set_transient_for(GTK_WINDOW(window), GTK_WINDOW(parent));
}
static inline void gw_window_resize(GtkWidget *window, int width, int height) {
  gtk_window_set_default_size(GTK_WINDOW(window), width, height);
}
static inline void gw_window_present(GtkWidget *window) { gtk_window_present(GTK_WINDOW(window)); }
static inline void gw_window_close(GtkWidget *window) { gtk_window_close(GTK_WINDOW(window)); }
static inline void gw_window_on_close(GtkWidget *window, gboolean (*handler)(GtkWidget *, void *), void *data,
                                      gw_free free) {
  g_signal_connect_data(window, "close-request", G_CALLBACK(handler), data, free, 0);
}

// MARK: keys and clicks

typedef gboolean (*gw_key_handler)(GtkEventController *, guint key, guint code, GdkModifierType state, void *data);
/* Keys come here before the widget that has the focus gets them; TRUE: it does not. */
static inline void gw_on_key(GtkWidget *widget, gw_key_handler handler, void *data, gw_free free) {
  GtkEventController *keys = gtk_event_controller_key_new();
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  g_signal_connect_data(keys, "key-pressed", G_CALLBACK(handler), data, free, 0);
  gtk_widget_add_controller(widget, keys);
}
typedef void (*gw_click_handler)(GtkGestureClick *, int count, double x, double y, void *data);
static inline void gw_on_secondary_click(GtkWidget *widget, gw_click_handler handler, void *data, gw_free free) {
  GtkGesture *click = gtk_gesture_click_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_SECONDARY);
  g_signal_connect_data(click, "pressed", G_CALLBACK(handler), data, free, 0);
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(click));
}

// MARK: boxes

static inline GtkWidget *gw_box_new(gboolean is_vertical, int spacing) {
  return gtk_box_new(is_vertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, spacing);
}
static inline void gw_box_append(GtkWidget *box, GtkWidget *child) { gtk_box_append(GTK_BOX(box), child); }
static inline void gw_box_clear(GtkWidget *box) {
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(box))) gtk_box_remove(GTK_BOX(box), child);
}
static inline GtkWidget *gw_scroller_new(GtkWidget *child) {
  GtkWidget *scroller = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), child);
  gtk_widget_set_hexpand(scroller, TRUE);
  gtk_widget_set_vexpand(scroller, TRUE);
  return scroller;
}
static inline GtkWidget *gw_grid_new(void) {
  GtkWidget *grid = gtk_grid_new();
  gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
  gtk_grid_set_row_spacing(GTK_GRID(grid), 4);
  return grid;
}
static inline void gw_grid_attach(GtkWidget *grid, GtkWidget *child, int column, int row) {
  gtk_grid_attach(GTK_GRID(grid), child, column, row, 1, 1);
}

// MARK: what is shown

static inline void gw_label_set_text(GtkWidget *label, const char *text) { gtk_label_set_text(GTK_LABEL(label), text); }
static inline void gw_label_set_wrap(GtkWidget *label) {
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars(GTK_LABEL(label), 24);
  gtk_label_set_max_width_chars(GTK_LABEL(label), 60);
}
static inline void gw_label_set_ellipsis(GtkWidget *label) {
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_single_line_mode(GTK_LABEL(label), TRUE);
}
static inline void gw_label_set_side(GtkWidget *label, float side) {
  gtk_label_set_xalign(GTK_LABEL(label), side);
  gtk_label_set_justify(GTK_LABEL(label), side == 0.5f ? GTK_JUSTIFY_CENTER : GTK_JUSTIFY_LEFT);
}
static inline GIcon *gw_icon_new(const char *name) { return g_themed_icon_new(name); }
static inline void gw_icon_append(GIcon *icon, const char *name) { g_themed_icon_append_name(G_THEMED_ICON(icon), name); }
/* Takes the icon; NULL: shows none. */
static inline void gw_image_take(GtkWidget *image, GIcon *icon) {
  gtk_image_set_from_gicon(GTK_IMAGE(image), icon);
  g_clear_object(&icon);
}
static inline void gw_image_set_file(GtkWidget *image, const char *path) {
  gtk_image_set_from_file(GTK_IMAGE(image), path);
}
static inline void gw_image_set_size(GtkWidget *image, int size) { gtk_image_set_pixel_size(GTK_IMAGE(image), size); }

/* Three bytes for each dot, copied. */
static inline GtkWidget *gw_picture_new(const void *bytes, size_t length, int width, int height) {
  GBytes *data = g_bytes_new(bytes, length);
  GdkTexture *texture = gdk_memory_texture_new(width, height, GDK_MEMORY_R8G8B8, data, (size_t)width * 3);
  GtkWidget *picture = gtk_picture_new_for_paintable(GDK_PAINTABLE(texture));
  g_object_unref(texture);
  g_bytes_unref(data);
  return picture;
}
static inline GtkWidget *gw_text_new(const char *text, int length) {
  GtkWidget *view = gtk_text_view_new();
  gtk_text_view_set_editable(GTK_TEXT_VIEW(view), FALSE);
  gtk_text_view_set_cursor_visible(GTK_TEXT_VIEW(view), FALSE);
  gtk_text_view_set_monospace(GTK_TEXT_VIEW(view), TRUE);
  gtk_text_view_set_left_margin(GTK_TEXT_VIEW(view), 12);
  gtk_text_view_set_right_margin(GTK_TEXT_VIEW(view), 12);
  gtk_text_view_set_top_margin(GTK_TEXT_VIEW(view), 8);
  gtk_text_view_set_bottom_margin(GTK_TEXT_VIEW(view), 8);
  gtk_text_buffer_set_text(gtk_text_view_get_buffer(GTK_TEXT_VIEW(view)), text, length);
  return view;
}

// MARK: long lists: rows are made for what is seen only

typedef void (*gw_item_handler)(GtkSignalListItemFactory *, GtkListItem *, void *data);
typedef void (*gw_position_handler)(GtkListView *, guint position, void *data);

static inline GtkWidget *gw_list_new(gw_item_handler set_up, gw_item_handler bind, void *data, gw_free free) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect_data(factory, "setup", G_CALLBACK(set_up), data, NULL, 0);
  g_signal_connect_data(factory, "bind", G_CALLBACK(bind), data, free, 0);
  GtkSingleSelection *selection = gtk_single_selection_new(G_LIST_MODEL(gtk_string_list_new(NULL)));
  return gtk_list_view_new(GTK_SELECTION_MODEL(selection), factory);
}
static inline GtkSingleSelection *gw_list_selection(GtkWidget *list) {
  return GTK_SINGLE_SELECTION(gtk_list_view_get_model(GTK_LIST_VIEW(list)));
}
/* At `position`, `removed` rows go and `added` come. */
static inline void gw_list_splice(GtkWidget *list, unsigned position, unsigned removed, unsigned added) {
  const char **names = g_new0(const char *, added + 1);
  for (unsigned i = 0; i < added; i++) names[i] = "";
  gtk_string_list_splice(GTK_STRING_LIST(gtk_single_selection_get_model(gw_list_selection(list))), position, removed,
                         names);
  g_free(names);
}
static inline unsigned gw_list_selected(GtkWidget *list) {
  return gtk_single_selection_get_selected(gw_list_selection(list));
}
static inline void gw_list_select(GtkWidget *list, unsigned position) {
  gtk_single_selection_set_selected(gw_list_selection(list), position);
}
static inline void gw_list_on_activate(GtkWidget *list, gw_position_handler handler, void *data, gw_free free) {
  g_signal_connect_data(list, "activate", G_CALLBACK(handler), data, free, 0);
}
static inline unsigned gw_item_position(GtkListItem *item) { return gtk_list_item_get_position(item); }
static inline void gw_item_set_child(GtkListItem *item, GtkWidget *child) { gtk_list_item_set_child(item, child); }
static inline GtkWidget *gw_item_child(GtkListItem *item) { return gtk_list_item_get_child(item); }

// MARK: menus

typedef void (*gw_row_handler)(GtkListBox *, GtkListBoxRow *, void *data);

static inline GtkWidget *gw_rows_new(void) {
  GtkWidget *rows = gtk_list_box_new();
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(rows), GTK_SELECTION_BROWSE);
  return rows;
}
static inline void gw_rows_append(GtkWidget *rows, GtkWidget *child) { gtk_list_box_append(GTK_LIST_BOX(rows), child); }
static inline void gw_rows_select(GtkWidget *rows, int index) {
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(rows), index);
  if (!row) return;
  gtk_list_box_select_row(GTK_LIST_BOX(rows), row);
  gtk_widget_grab_focus(GTK_WIDGET(row));
}
static inline void gw_rows_on_activate(GtkWidget *rows, gw_row_handler handler, void *data, gw_free free) {
  g_signal_connect_data(rows, "row-activated", G_CALLBACK(handler), data, free, 0);
}
static inline int gw_row_index(GtkListBoxRow *row) { return gtk_list_box_row_get_index(row); }

static inline GtkWidget *gw_popover_new(GtkWidget *anchor, GtkWidget *child) {
  GtkWidget *popover = gtk_popover_new();
  gtk_popover_set_child(GTK_POPOVER(popover), child);
  gtk_widget_set_parent(popover, anchor);
  return popover;
}
/* Points at a place within its anchor. */
static inline void gw_popover_point(GtkWidget *popover, int x, int y) {
  gtk_popover_set_pointing_to(GTK_POPOVER(popover), &(GdkRectangle){x, y, 1, 1});
}
static inline void gw_popover_open(GtkWidget *popover) { gtk_popover_popup(GTK_POPOVER(popover)); }
static inline void gw_popover_close(GtkWidget *popover) { gtk_popover_popdown(GTK_POPOVER(popover)); }
static inline void gw_popover_forget(GtkWidget *popover) { gtk_widget_unparent(popover); }
/* Where the middle of a widget is in another; FALSE: nowhere. */
static inline gboolean gw_middle(GtkWidget *widget, GtkWidget *other, int *x, int *y) {
  graphene_rect_t bounds;
  if (!gtk_widget_get_mapped(widget) || !gtk_widget_compute_bounds(widget, other, &bounds)) return FALSE;
  *x = (int)(bounds.origin.x + bounds.size.width / 2);
  *y = (int)(bounds.origin.y + bounds.size.height / 2);
  return TRUE;
}
