// Decodes one image for a preview: what a hostile file can do, it does in here.
//
//   preview-decoder png SIZE      the image on standard input as a PNG of at most SIZE by SIZE
//   preview-decoder rgb WIDTH HEIGHT   the same as "width height width height\n" (the latter as in the file) and three bytes for each pixel
//   preview-decoder pdf SIZE      the first page on standard input as a PPM of SIZE at its longer side
//   preview-decoder types         the MIME types that can be decoded, one a line
//
// Before it reads the first byte it gives up all it does not need: no file but those of the system can be
// read, none can be written, no program started (but poppler's, for a page), no address connected to (landlock(7), as far as the
// kernel has it), and memory, time and descriptors are limited (setrlimit(2)).
// Ends with 0; 1: not an image that can be decoded; 2: too big; 3: wrong use; 4: it cannot be confined.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { UNDECODABLE = 1, TOO_BIG = 2, USAGE = 3, UNCONFINED = 4 };

/* The numbers of linux/landlock.h, which may be older than the kernel. */
enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446 };
enum { EXECUTE = 1 << 0, READ_FILE = 1 << 2, READ_DIRECTORY = 1 << 3 };

/* Of poppler. Its own limits hold for it as well. */
static const char page_reader[] = "/usr/bin/pdftoppm";

static void limit(int resource, rlim_t most) {
  struct rlimit value = {most, most};
  if (setrlimit(resource, &value)) _exit(UNCONFINED);
}

static void allow(int rules, const char *directory, uint64_t more) {
  int place = open(directory, O_PATH | O_CLOEXEC);
  if (place < 0) return; // What is not there needs no rule.
  struct { uint64_t rights; int32_t place; } __attribute__((packed)) rule = {READ_FILE | READ_DIRECTORY | more, place};
  if (syscall(LANDLOCK_ADD, rules, 1, &rule, 0u)) _exit(UNCONFINED);
  close(place);
}

/* Programs of the system can be started only if `may_start`. */
static void confine(bool may_start) {
  limit(RLIMIT_AS, (rlim_t)1 << 30);
  limit(RLIMIT_CPU, 10);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NOFILE, 64);
  limit(RLIMIT_CORE, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) _exit(UNCONFINED);
  long version = syscall(LANDLOCK_CREATE, NULL, 0, 1u);
  if (version < 1) {
    if (errno == ENOSYS || errno == EOPNOTSUPP) return; // This kernel has none: the limits must do.
    _exit(UNCONFINED);
  }
  struct { uint64_t files, network, scopes; } rights = {0};
  rights.files = version >= 5 ? 0xffff : version >= 3 ? 0x7fff : version >= 2 ? 0x3fff : 0x1fff;
  if (version >= 4) rights.network = 3;
  if (version >= 6) rights.scopes = 3;
  int rules = (int)syscall(LANDLOCK_CREATE, &rights, sizeof rights, 0u);
  if (rules < 0) _exit(UNCONFINED);
  allow(rules, "/usr", may_start ? EXECUTE : 0);
  allow(rules, "/lib", may_start ? EXECUTE : 0);
  allow(rules, "/lib64", may_start ? EXECUTE : 0);
  allow(rules, "/etc", 0);
  if (syscall(LANDLOCK_RESTRICT, rules, 0u)) _exit(UNCONFINED);
  close(rules);
}

struct wish {
  int width, height;       // at most
  int found_width, found_height;
  bool is_too_big;
};

static void size_prepared(GdkPixbufLoader *loader, int width, int height, void *data) {
  struct wish *wish = data;
  wish->found_width = width;
  wish->found_height = height;
  // A picture of a few bytes may claim to have millions of lines.
  if (width < 1 || height < 1 || (int64_t)width * height > 100 * 1000 * 1000) {
    wish->is_too_big = true;
    gdk_pixbuf_loader_set_size(loader, 1, 1);
    return;
  }
  if (width <= wish->width && height <= wish->height) return;
  double factor = MIN((double)wish->width / width, (double)wish->height / height);
  gdk_pixbuf_loader_set_size(loader, MAX(1, (int)(width * factor + 0.5)), MAX(1, (int)(height * factor + 0.5)));
}

static GdkPixbuf *decode(struct wish *wish) {
  GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
  g_signal_connect(loader, "size-prepared", G_CALLBACK(size_prepared), wish);
  static unsigned char buffer[1 << 16];
  ssize_t got;
  while ((got = read(0, buffer, sizeof buffer)) != 0) {
    if (got < 0) {
      if (errno == EINTR) continue;
      exit(UNDECODABLE);
    }
    if (!gdk_pixbuf_loader_write(loader, buffer, (gsize)got, NULL)) exit(wish->is_too_big ? TOO_BIG : UNDECODABLE);
    if (wish->is_too_big) exit(TOO_BIG);
  }
  if (!gdk_pixbuf_loader_close(loader, NULL)) exit(UNDECODABLE);
  GdkPixbuf *picture = gdk_pixbuf_loader_get_pixbuf(loader);
  if (!picture) exit(UNDECODABLE);
  picture = gdk_pixbuf_apply_embedded_orientation(picture);
  if (!picture) exit(UNDECODABLE);
  // Formats that cannot scale while they read come in full.
  int width = gdk_pixbuf_get_width(picture), height = gdk_pixbuf_get_height(picture);
  if (width > wish->width || height > wish->height) {
    double factor = MIN((double)wish->width / width, (double)wish->height / height);
    picture = gdk_pixbuf_scale_simple(picture, MAX(1, (int)(width * factor)), MAX(1, (int)(height * factor)),
                                      GDK_INTERP_BILINEAR);
    if (!picture) exit(TOO_BIG);
  }
  return picture;
}

static void put(const void *bytes, size_t length) {
  const char *next = bytes;
  while (length) {
    ssize_t written = write(1, next, length);
    if (written < 0) {
      if (errno == EINTR) continue;
      exit(UNDECODABLE);
    }
    next += written;
    length -= (size_t)written;
  }
}

static int png(int size) {
  struct wish wish = {size, size, 0, 0, false};
  GdkPixbuf *picture = gdk_pixbuf_add_alpha(decode(&wish), FALSE, 0, 0, 0);
  if (!picture) return TOO_BIG;
  char width[16], height[16];
  g_snprintf(width, sizeof width, "%d", wish.found_width);
  g_snprintf(height, sizeof height, "%d", wish.found_height);
  gchar *bytes = NULL;
  gsize length = 0;
  if (!gdk_pixbuf_save_to_buffer(picture, &bytes, &length, "png", NULL, "tEXt::Thumb::Image::Width", width,
                                 "tEXt::Thumb::Image::Height", height, NULL))
    return UNDECODABLE;
  put(bytes, length);
  return 0;
}

static int rgb(int columns, int lines) {
  struct wish wish = {columns, lines, 0, 0, false};
  GdkPixbuf *picture = decode(&wish);
  int width = gdk_pixbuf_get_width(picture), height = gdk_pixbuf_get_height(picture);
  int channels = gdk_pixbuf_get_n_channels(picture), stride = gdk_pixbuf_get_rowstride(picture);
  bool has_alpha = gdk_pixbuf_get_has_alpha(picture);
  const guint8 *pixels = gdk_pixbuf_read_pixels(picture);
  char head[64];
  put(head, (size_t)g_snprintf(head, sizeof head, "%d %d %d %d\n", width, height, wish.found_width, wish.found_height));
  guint8 *line = malloc((size_t)width * 3);
  if (!line) return TOO_BIG;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      const guint8 *pixel = pixels + (size_t)y * (size_t)stride + (size_t)x * (size_t)channels;
      unsigned alpha = has_alpha ? pixel[3] : 255;
      for (int i = 0; i < 3; i++) line[x * 3 + i] = (guint8)((pixel[i] * alpha + 255 * (255 - alpha)) / 255);
    }
    put(line, (size_t)width * 3);
  }
  return 0;
}

static int pdf(const char *size) {
  execl(page_reader, page_reader, "-f", "1", "-l", "1", "-singlefile", "-scale-to", size, "-", (char *)NULL);
  return UNDECODABLE;
}

static int types(void) {
  if (access(page_reader, X_OK) == 0) put("application/pdf\n", 16);
  for (GSList *formats = gdk_pixbuf_get_formats(); formats; formats = formats->next) {
    gchar **names = gdk_pixbuf_format_get_mime_types(formats->data);
    for (gchar **name = names; *name; name++) {
      put(*name, strlen(*name));
      put("\n", 1);
    }
  }
  return 0;
}

static int number(const char *text) {
  char *end = NULL;
  long value = strtol(text, &end, 10);
  return *text && !*end && value > 0 && value <= 4096 ? (int)value : 0;
}

int main(int count, char **words) {
  bool is_pdf = count == 3 && !strcmp(words[1], "pdf") && number(words[2]);
  confine(is_pdf);
  if (is_pdf) return pdf(words[2]);
  if (count == 2 && !strcmp(words[1], "types")) return types();
  if (count == 3 && !strcmp(words[1], "png") && number(words[2])) return png(number(words[2]));
  if (count == 4 && !strcmp(words[1], "rgb") && number(words[2]) && number(words[3]))
    return rgb(number(words[2]), number(words[3]));
  static const char usage[] = "usage: preview-decoder png SIZE | rgb WIDTH HEIGHT | pdf SIZE | types\n";
  return write(2, usage, sizeof usage - 1) < 0 ? UNCONFINED : USAGE;
}
