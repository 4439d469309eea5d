// The C that Swift cannot say itself: macros, variadic calls, atomics in shared memory, and the
// handler that runs in a forked child. Every name starts with `cl_`.
#ifndef CLINUX_H
#define CLINUX_H

// No _GNU_SOURCE here: the compiler's own Glibc module is built without it, and types that both see
// (fd_set) must look alike, or some builds fail. What needs it stands in shims.c.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// MARK: variadic calls and macros

static inline int cl_openat(int dir, const char *path, int flags, mode_t mode) {
  return openat(dir, path, flags, mode);
}

/// openat2(2) with RESOLVE_NO_SYMLINKS: succeeds only if no component of `path` is a link.
static inline int cl_open_without_links(int dir, const char *path, int flags) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = (uint64_t)(unsigned)flags;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return (int)syscall(SYS_openat2, dir, path, &how, sizeof how);
}

static inline int cl_renameat2(int d1, const char *a, int d2, const char *b, unsigned flags) {
  return (int)syscall(SYS_renameat2, d1, a, d2, b, flags);
}

static inline ssize_t cl_getdents(int dir, void *bytes, size_t length) {
  return syscall(SYS_getdents64, dir, bytes, length);
}
ssize_t cl_copy_file_range(int from, int to, size_t length);
static inline int cl_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
static inline pid_t cl_gettid(void) { return (pid_t)syscall(SYS_gettid); }
static inline int cl_errno(void) { return errno; }

static inline bool cl_wifexited(int s) { return WIFEXITED(s); }
static inline int cl_wexitstatus(int s) { return WEXITSTATUS(s); }
static inline bool cl_wifsignaled(int s) { return WIFSIGNALED(s); }
static inline int cl_wtermsig(int s) { return WTERMSIG(s); }

static inline uint64_t cl_monotonic_nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// MARK: atomics in memory that other processes map (aligned by the caller)

static inline uint32_t cl_load32(const void *p) { return __atomic_load_n((const uint32_t *)p, __ATOMIC_SEQ_CST); }
static inline void cl_store32(void *p, uint32_t v) { __atomic_store_n((uint32_t *)p, v, __ATOMIC_SEQ_CST); }
static inline uint32_t cl_add32(void *p, uint32_t v) { return __atomic_fetch_add((uint32_t *)p, v, __ATOMIC_SEQ_CST); }
static inline bool cl_cas32(void *p, uint32_t expected, uint32_t desired) {
  return __atomic_compare_exchange_n((uint32_t *)p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
static inline uint64_t cl_load64(const void *p) { return __atomic_load_n((const uint64_t *)p, __ATOMIC_SEQ_CST); }
static inline void cl_store64(void *p, uint64_t v) { __atomic_store_n((uint64_t *)p, v, __ATOMIC_SEQ_CST); }
static inline uint64_t cl_add64(void *p, uint64_t v) { return __atomic_fetch_add((uint64_t *)p, v, __ATOMIC_SEQ_CST); }
static inline bool cl_cas64(void *p, uint64_t expected, uint64_t desired) {
  return __atomic_compare_exchange_n((uint64_t *)p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// MARK: what ThreadSanitizer must be told

// Weak: they are there when the program is linked with ThreadSanitizer, and null in every other one. The
// compiler of this header does not know which (Swift passes -fsanitize=thread to C files only).
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

/// What other threads did before their cl_note_release of this place happened before what follows.
static inline void cl_note_acquire(uintptr_t place) {
  if (__tsan_acquire) __tsan_acquire((void *)place);
}
/// What this thread did so far happens before what follows another thread's cl_note_acquire.
static inline void cl_note_release(uintptr_t place) {
  if (__tsan_release) __tsan_release((void *)place);
}

// MARK: locks in a child that was forked without exec

extern bool cl_forked_flag;
/// Whether this process was forked from one of this program.
static inline bool cl_is_forked_child(void) { return cl_forked_flag; }

/// A futex that is free at 0. Blocks until the calling thread has it.
void cl_futex_lock(uintptr_t word);
bool cl_futex_try_lock(uintptr_t word);
void cl_futex_unlock(uintptr_t word);

// MARK: waiting

/// ppoll(2) for reading; a limit of UINT64_MAX nanoseconds means none.
int cl_poll(struct pollfd *set, unsigned long count, uint64_t nanoseconds);
/// epoll(7) for reading; the set reports the descriptors' numbers.
int cl_epoll_create(void);
int cl_epoll_add(int set, int fd);
int cl_epoll_remove(int set, int fd);
/// Returns how many numbers were stored; a negative limit means none.
int cl_epoll_wait(int set, int *numbers, int capacity, int milliseconds);
/// How many processors the calling thread may run on.
int cl_processors(void);
/// The processor that the calling thread runs on, for now; -1 where that cannot be said.
int cl_processor(void);
/// Keeps the calling thread off a processor, if there is another one that it may run on.
void cl_avoid_processor(int processor);
/// Gives the calling thread a working directory of its own.
int cl_unshare_directory(void);
static inline int cl_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// MARK: files

/// Reserves room for the first `length` bytes; what stands there stays.
int cl_allocate(int fd, long length);
/// Makes the empty file `to` share the contents of `from` (ioctl FICLONE).
int cl_clone(int to, int from);

/* What tells a file from every other: statx(2), statfs(2) and name_to_handle_at(2) in one. */
struct cl_identity {
  uint64_t volume, inode;
  uint64_t device; /* major and minor number, a half each */
  int64_t size;
  uint32_t mode;
  bool has_birth;
  int64_t birth_seconds;
  uint32_t birth_nanoseconds;
  uint32_t handle_length; /* type and bytes; 0: there is none */
  unsigned char handle[132];
};
int cl_identify(int fd, struct cl_identity *facts);
/* By path and without a handle, in one call where it is on the device of `known`, has a birth and is no
   link; else 1, and nothing is said. */
int cl_identify_place(const char *path, const struct cl_identity *known, struct cl_identity *facts);
/// A file without a name that may be sealed, close-on-exec.
int cl_memory_file(const char *name);
/// Forbids every later change of a memory file.
int cl_seal(int fd);
/// Whether `fd` is a memory file that nobody can change any more.
bool cl_is_sealed(int fd);

// MARK: sockets

/// Two connected sockets that keep packets apart, close-on-exec; the second one blocks.
static inline int cl_packet_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends); }
static inline int cl_packet_socket(void) { return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }
int cl_accept(int listener);

/// Sends one packet with at most `count` descriptors. Never blocks, never raises SIGPIPE.
ssize_t cl_send_packet(int socket, const void *bytes, size_t length, const int *descriptors, int count);
/// Receives one packet and at most `capacity` descriptors (close-on-exec from birth); `*count` says
/// how many came. A packet that did not fit fails with EMSGSIZE.
ssize_t cl_receive_packet(int socket, void *bytes, size_t length, int *descriptors, int capacity, int *count, bool waiting);
/// The credentials the kernel recorded when the peer connected.
int cl_peer_credentials(int socket, pid_t *pid, uid_t *uid);

// MARK: processes

/// Starts a program; `kept` descriptors survive into it under the same numbers. Returns an errno.
int cl_spawn(pid_t *pid, const char *path, char *const argv[], char *const envp[], int in, int out, int err,
             const int *kept, int kept_count, bool search_path);

/// Starts a program that is nobody's child: `log` takes what it says, `kept` survives into it. Returns an errno.
int cl_spawn_detached(const char *path, char *const argv[], char *const envp[], int log, int kept);
/// The version of Landlock that the kernel speaks, or -1 with errno.
int cl_landlock_version(void);
/// A descriptor of a set of rules; `rights` are those that are withheld where no rule gives them.
int cl_landlock_create(uint64_t rights, uint64_t scopes);
/// Gives rights below what the descriptor is open on.
int cl_landlock_allow(int ruleset, int place, uint64_t rights);
/// Starts a program under a set of rules for good, in a directory. Returns an errno, and in `*stage` where
/// the child was: 1 descriptors, 2 prctl, 3 landlock_restrict_self, 4 chdir, 5 execve.
int cl_spawn_confined(pid_t *pid, char *const argv[], char *const envp[], int in, int out, int err, const int *kept,
                      int kept_count, int ruleset, const char *directory, int *stage);

/// Names the calling thread, in at most 15 bytes.
void cl_name_thread(const char *name);

/// pipe2(2) with O_CLOEXEC.
int cl_pipe(int ends[2]);
/// Starts a program searched in PATH; it keeps our dispositions and gets `mask`. Returns an errno.
int cl_spawn_command(pid_t *pid, char *const argv[], const int *kept, int kept_count, const sigset_t *mask);
/// A descriptor that reads signals; close-on-exec.
int cl_signal_descriptor(const sigset_t *wanted);
/// Waits for one signal; 0, or -1 with errno.
int cl_read_signal(int descriptor, int *number, bool *from_kernel);

// MARK: fork without exec

/// fork(2); Swift hides it, and rightly: only what is async-signal-safe may follow in a child of a
/// process with threads. Tests use it to be a host that does it all the same.
static inline pid_t cl_fork(void) { return fork(); }
/// Has the kernel end this process after so many seconds, whatever its threads wait for.
static inline void cl_end_after(uint32_t seconds) {
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  signal(SIGALRM, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
  alarm(seconds);
}

/// Descriptors registered here are closed (never unlocked) in a child that forks without exec.
void cl_fork_close_register(int fd);
void cl_fork_close_forget(int fd);
/// How many forks lie between the first process and this one: 0 in a process that was not forked.
uint32_t cl_fork_generation(void);

// MARK: per thread

/// Numbers of the claims whose accessors run on the calling thread; deeper than 64 are only counted.
uint32_t cl_claims_depth(void);
uint64_t cl_claims_at(uint32_t index);
void cl_claims_push(uint64_t number);
void cl_claims_pop(void);
/// gettid(2), asked once per thread and again in a forked child.
uint32_t cl_thread_number(void);

/// What one thread sleeps on, or blocks in flock(2) on, until another wakes it. Starts as zeros.
struct cl_sleeper {
  /// 0 nothing happened, 1 woken, 2 asleep on this word.
  uint32_t word;
  /// 0 not in flock, 1 in flock, 2 somebody sets the timer off, 3 the timer was set off.
  uint32_t stage;
  /// The timer that interrupts the thread that is in flock.
  void *timer;
};

/// Sleeps until cl_wake, or until the monotonic clock passed `deadline` nanoseconds
/// (UINT64_MAX: no limit). A wake that came before is not lost. May return early.
void cl_sleep(struct cl_sleeper *sleeper, uint64_t deadline);

/// Whether a wake came since the last wait; it is used up by this look. By the waiting thread only.
bool cl_take_wake(struct cl_sleeper *sleeper);

/// flock(2) that ends with EINTR on cl_wake; 0 when the lock was taken. A wake that came before is not
/// lost. `operation` blocks (no LOCK_NB).
int cl_flock(struct cl_sleeper *sleeper, int descriptor, int operation);

/// Ends the sleep or the flock, or the next one. From any thread; never blocks.
void cl_wake(struct cl_sleeper *sleeper);

/// The signal that interrupts flock; 0 before the first wait.
int cl_interrupting_signal(void);

#endif
