// Boost.Interprocess: a file lock (POSIX record locks) and a named upgradable mutex in shared memory.
#include "lock_worker.h"

#include <boost/interprocess/sync/file_lock.hpp>
#include <boost/interprocess/sync/named_upgradable_mutex.hpp>
#include <string>

namespace bi = boost::interprocess;

static void *open_file(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) lw_die(path);
  close(fd);
  return new bi::file_lock(path);
}
// Lies in /dev/shm and outlives its processes; the benchmark takes away what has its name in it.
static void *open_named(const char *path) {
  std::string name = path;
  for (char &c : name) if (c == '/') c = '-';
  return new bi::named_upgradable_mutex(bi::open_or_create, name.c_str());
}
template <class Lock> static void access_lock(void *handle, int writing, lw_body body, void *context) {
  Lock *lock = static_cast<Lock *>(handle);
  if (writing) lock->lock(); else lock->lock_sharable();
  body(context);
  if (writing) lock->unlock(); else lock->unlock_sharable();
}

int main(int argc, char **argv) {
  const struct lw_backend backends[] = {
      {"boost-file", open_file, access_lock<bi::file_lock>},
      {"boost-named", open_named, access_lock<bi::named_upgradable_mutex>}};
  return lw_main(backends, 2, argc, argv);
}
