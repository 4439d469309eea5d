// QLockFile: a file that exists while the lock is held; no shared mode.
#include "lock_worker.h"

#include <QLockFile>
#include <QString>

static void *open_lock(const char *path) {
  QLockFile *lock = new QLockFile(QString::fromUtf8(path) + QStringLiteral(".qlock"));
  lock->setStaleLockTime(0);
  return lock;
}
static void access_lock(void *handle, int, lw_body body, void *context) {
  QLockFile *lock = static_cast<QLockFile *>(handle);
  if (!lock->lock()) lw_die("QLockFile::lock");
  body(context);
  lock->unlock();
}

int main(int argc, char **argv) {
  const struct lw_backend backends[] = {{"qlockfile", open_lock, access_lock}};
  return lw_main(backends, 1, argc, argv);
}
