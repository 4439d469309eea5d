// Locks of the kernel and the C library, as rows of the contention benchmark.
#include "CBenchmarkFloors.h"

#include "lock_worker.h"

#include <linux/futex.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int open_lock_file(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) lw_die(path);
  return fd;
}
static void lock(int fd, int how) {
  while (flock(fd, how)) if (errno != EINTR) lw_die("flock");
}

// MARK: flock(2) on a descriptor that is kept

static void *flock_open(const char *path) { return (void *)(intptr_t)open_lock_file(path); }
static void flock_access(void *handle, int writing, lw_body body, void *context) {
  int fd = (int)(intptr_t)handle;
  lock(fd, writing ? LOCK_EX : LOCK_SH);
  body(context);
  lock(fd, LOCK_UN);
}

// MARK: flock(2) on a file that is opened for each use

static void *path_open(const char *path) { return strdup(path); }
static void reopening_access(void *handle, int writing, lw_body body, void *context) {
  int fd = open_lock_file(handle);
  lock(fd, writing ? LOCK_EX : LOCK_SH);
  body(context);
  lock(fd, LOCK_UN);
  close(fd);
}

// MARK: open file description locks

static void record(int fd, short type) {
  struct flock how = {.l_type = type, .l_whence = SEEK_SET};
  while (fcntl(fd, F_OFD_SETLKW, &how)) if (errno != EINTR) lw_die("fcntl");
}
static void ofd_access(void *handle, int writing, lw_body body, void *context) {
  int fd = (int)(intptr_t)handle;
  record(fd, writing ? F_WRLCK : F_RDLCK);
  body(context);
  record(fd, F_UNLCK);
}

// MARK: locks in shared memory (fast; three of the four are lost for ever when a holder is killed)

static void *shared_page(const char *path, void (*prepare)(void *)) {
  int fd = open_lock_file(path);
  lock(fd, LOCK_EX);
  struct stat status;
  if (fstat(fd, &status)) lw_die("fstat");
  if (!status.st_size && ftruncate(fd, 4096)) lw_die("ftruncate");
  void *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (page == MAP_FAILED) lw_die("mmap");
  if (!status.st_size && prepare) prepare(page);
  lock(fd, LOCK_UN);
  close(fd);
  return page;
}

static void prepare_rwlock(void *page, int kind) {
  pthread_rwlockattr_t how;
  pthread_rwlockattr_init(&how);
  pthread_rwlockattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
  pthread_rwlockattr_setkind_np(&how, kind);
  pthread_rwlock_init(page, &how);
}
static void prefer_readers(void *page) { prepare_rwlock(page, PTHREAD_RWLOCK_PREFER_READER_NP); }
static void prefer_writers(void *page) {
  prepare_rwlock(page, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
}
static void *rwlock_open(const char *path) { return shared_page(path, prefer_readers); }
static void *rwlock_writers_open(const char *path) { return shared_page(path, prefer_writers); }
static void rwlock_access(void *handle, int writing, lw_body body, void *context) {
  if (writing) pthread_rwlock_wrlock(handle); else pthread_rwlock_rdlock(handle);
  body(context);
  pthread_rwlock_unlock(handle);
}

static void prepare_mutex(void *page) {
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(page, &how);
}
static void *mutex_open(const char *path) { return shared_page(path, prepare_mutex); }
static void mutex_access(void *handle, int writing, lw_body body, void *context) {
  (void)writing;
  if (pthread_mutex_lock(handle) == EOWNERDEAD) pthread_mutex_consistent(handle);
  body(context);
  pthread_mutex_unlock(handle);
}

static void *futex_open(const char *path) { return shared_page(path, 0); }
static void futex_access(void *handle, int writing, lw_body body, void *context) {
  (void)writing;
  uint32_t *word = handle, seen = 0;
  if (!__atomic_compare_exchange_n(word, &seen, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    if (seen != 2) seen = __atomic_exchange_n(word, 2, __ATOMIC_ACQUIRE);
    while (seen) {
      syscall(SYS_futex, word, FUTEX_WAIT, 2, 0, 0, 0);
      seen = __atomic_exchange_n(word, 2, __ATOMIC_ACQUIRE);
    }
  }
  body(context);
  if (__atomic_exchange_n(word, 0, __ATOMIC_RELEASE) == 2)
    syscall(SYS_futex, word, FUTEX_WAKE, 1, 0, 0, 0);
}

// MARK: commands that hold a lock while a program of theirs runs

extern char **environ;
/// Runs `command`, which ends in `sh -c 'echo; read x'`, and the body between its line and its end.
static void command_access(char *const command[], lw_body body, void *context) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) lw_die("pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  pid_t pid;
  errno = posix_spawnp(&pid, command[0], &actions, 0, command, environ);
  if (errno) lw_die(command[0]);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  char line;
  if (read(out[0], &line, 1) != 1) lw_die("the command ended without its lock");
  body(context);
  close(in[1]);
  close(out[0]);
  int status;
  waitpid(pid, &status, 0);
}
static void flock_command_access(void *path, int writing, lw_body body, void *context) {
  char *const command[] = {"flock", writing ? "-x" : "-s", path, "sh", "-c", "echo; read x", 0};
  command_access(command, body, context);
}
static void filecoord_access(void *path, int writing, lw_body body, void *context) {
  const char *program = getenv("BENCHMARK_FILECOORD");
  char *const command[] = {
      (char *)(program ? program : "filecoord"), writing ? "write" : "read", path, "--", "sh", "-c", "echo; read x", 0};
  command_access(command, body, context);
}

static const struct lw_backend backends[] = {
    {"flock", flock_open, flock_access},
    {"flock-open", path_open, reopening_access},
    {"ofd", flock_open, ofd_access},
    {"rwlock", rwlock_open, rwlock_access},
    {"rwlock-writers", rwlock_writers_open, rwlock_access},
    {"robust-mutex", mutex_open, mutex_access},
    {"futex", futex_open, futex_access},
    {"flock-command", path_open, flock_command_access},
    {"filecoord-command", path_open, filecoord_access},
};

int cb_backend_count(void) { return (int)(sizeof backends / sizeof *backends); }
const char *cb_backend_name(int index) { return backends[index].name; }
int cb_worker(int argc, char *const *argv) {
  return lw_main(backends, cb_backend_count(), argc, (char **)argv);
}
