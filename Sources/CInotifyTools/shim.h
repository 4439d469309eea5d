// libinotifytools and, below, four names that it exports without declaring them. They are weak: a
// version without them only keeps the small record of a watch that ended by itself.
#ifndef CINOTIFYTOOLS_SHIM_H
#define CINOTIFYTOOLS_SHIM_H

#include <sys/inotify.h>
#include <inotifytools/inotifytools.h>

struct rbtree;
extern struct rbtree *tree_wd __attribute__((weak));
extern struct rbtree *tree_filename __attribute__((weak));
extern struct watch *watch_from_wd(int) __attribute__((weak));
extern struct watch *watch_from_filename(const char *) __attribute__((weak));
extern const void *rbdelete(const void *, struct rbtree *) __attribute__((weak));
extern void destroy_watch(struct watch *) __attribute__((weak));

static inline int cit_has_internals(void) {
  return &tree_wd && &tree_filename && watch_from_wd && watch_from_filename && rbdelete && destroy_watch;
}

/// Drops the library's record of a watch whose kernel side is gone: it keeps it for ever otherwise.
static inline void cit_forget(int wd) {
  struct watch *w;
  if (!cit_has_internals() || !(w = watch_from_wd(wd))) return;
  rbdelete(w, tree_wd);
  rbdelete(w, tree_filename);
  destroy_watch(w);
}

/// Drops the second record that watching one object under a new spelling leaves behind.
static inline void cit_forget_duplicate(const char *spelling, int wd) {
  struct watch *w;
  if (!cit_has_internals() || !(w = watch_from_filename(spelling)) || w == watch_from_wd(wd)) return;
  rbdelete(w, tree_filename);
  destroy_watch(w);
}

#endif
