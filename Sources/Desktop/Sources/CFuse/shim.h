// 3.12 and not 3.1: only from there on the number of threads can be set, and one waits for each file
// that is being fetched. Not _FILE_OFFSET_BITS: it clashes with Glibc's module.
#define FUSE_USE_VERSION 312
#include <fuse3/fuse.h>
#include <fuse3/fuse_lowlevel.h>

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// What is a macro, or variadic, is no function for Swift.

static inline struct fuse *cf_new(struct fuse_args *args, const struct fuse_operations *operations, size_t size,
                                  void *data) {
  return fuse_new(args, operations, size, data);
}

/// Serves until the end; `threads` many calls can be waited in at once.
static inline int cf_loop(struct fuse *fuse, unsigned threads) {
  struct fuse_loop_config *config = fuse_loop_cfg_create();
  if (!config) return -1;
  fuse_loop_cfg_set_max_threads(config, threads);
  fuse_loop_cfg_set_idle_threads(config, 16);
  int result = fuse_loop_mt(fuse, config);
  fuse_loop_cfg_destroy(config);
  return result;
}

static inline int cf_rename(int directory, const char *from, const char *to, unsigned flags) {
  return (int)syscall(SYS_renameat2, directory, from, directory, to, flags);
}

static inline const char *cf_entry_name(const struct dirent *entry) { return entry->d_name; }

static inline int cf_open(int directory, const char *path, int flags, mode_t mode) {
  return openat(directory, path, flags, mode);
}

// fallocate(2) is not in Glibc's module without _GNU_SOURCE.
static inline int cf_allocate(int file, int mode, off_t offset, off_t length) {
  return (int)syscall(SYS_fallocate, file, mode, offset, length);
}

// O_DIRECT is not in Glibc's module without _GNU_SOURCE either.
enum { cf_direct = __O_DIRECT };
