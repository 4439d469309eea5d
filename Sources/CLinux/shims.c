#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CLinux.h"

#include <signal.h>
#include <spawn.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/signalfd.h>

int cl_poll(struct pollfd *set, unsigned long count, uint64_t nanoseconds) {
  struct timespec limit = {.tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
  return ppoll(set, count, nanoseconds == UINT64_MAX ? NULL : &limit, NULL);
}

int cl_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

int cl_processor(void) { return sched_getcpu(); }

void cl_avoid_processor(int processor) {
  cpu_set_t set;
  if (processor < 0 || processor >= CPU_SETSIZE || sched_getaffinity(0, sizeof set, &set) != 0) return;
  CPU_CLR(processor, &set);
  if (CPU_COUNT(&set) > 0) sched_setaffinity(0, sizeof set, &set);
}

ssize_t cl_copy_file_range(int from, int to, size_t length) {
  return copy_file_range(from, NULL, to, NULL, length, 0);
}

int cl_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

void cl_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

ssize_t cl_send_packet(int socket, const void *bytes, size_t length, const int *descriptors, int count) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union {
    char space[CMSG_SPACE(sizeof(int) * 64)];
    struct cmsghdr aligned;
  } control;
  if (count > 64) { errno = EINVAL; return -1; }
  if (count > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.space;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (size_t)count);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t cl_receive_packet(int socket, void *bytes, size_t length, int *descriptors, int capacity, int *count, bool waiting) {
  struct iovec part = {.iov_base = bytes, .iov_len = length};
  union {
    char space[CMSG_SPACE(sizeof(int) * 64)];
    struct cmsghdr aligned;
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
  *count = 0;
  ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (waiting ? 0 : MSG_DONTWAIT));
  if (got < 0) return got;
  for (struct cmsghdr *h = CMSG_FIRSTHDR(&message); h; h = CMSG_NXTHDR(&message, h)) {
    if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS) continue;
    size_t n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    int *fds = (int *)CMSG_DATA(h);
    for (size_t i = 0; i < n; i++) {
      if (*count < capacity) descriptors[(*count)++] = fds[i];
      else close(fds[i]);
    }
  }
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
    for (int i = 0; i < *count; i++) close(descriptors[i]);
    *count = 0;
    errno = EMSGSIZE;
    return -1;
  }
  return got;
}

int cl_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int cl_peer_credentials(int socket, pid_t *pid, uid_t *uid) {
  struct ucred who;
  socklen_t size = sizeof who;
  int result = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size);
  if (result == 0) { *pid = who.pid; *uid = who.uid; }
  return result;
}

int cl_spawn(pid_t *pid, const char *path, char *const argv[], char *const envp[], int in, int out, int err,
             const int *kept, int kept_count, bool search_path) {
  posix_spawn_file_actions_t actions;
  int result = posix_spawn_file_actions_init(&actions);
  if (result) return result;
  // dup2 onto itself clears close-on-exec in the child only (POSIX, and glibc since 2.29).
  if (in >= 0) result = posix_spawn_file_actions_adddup2(&actions, in, 0);
  if (!result && out >= 0) result = posix_spawn_file_actions_adddup2(&actions, out, 1);
  if (!result && err >= 0) result = posix_spawn_file_actions_adddup2(&actions, err, 2);
  for (int i = 0; !result && i < kept_count; i++)
    result = posix_spawn_file_actions_adddup2(&actions, kept[i], kept[i]);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGTERM);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (!result)
    result = search_path ? posix_spawnp(pid, path, &actions, &attributes, argv, envp)
                         : posix_spawn(pid, path, &actions, &attributes, argv, envp);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return result;
}

// The numbers of linux/landlock.h: the header may be older than the kernel.
enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446 };

int cl_landlock_version(void) { return (int)syscall(LANDLOCK_CREATE, NULL, 0, 1u); }

int cl_landlock_create(uint64_t rights, uint64_t scopes) {
  // An older kernel takes a longer structure as long as what it does not know is 0.
  struct { uint64_t files, network, scopes; } set = {.files = rights, .network = 0, .scopes = scopes};
  return (int)syscall(LANDLOCK_CREATE, &set, sizeof set, 0u);
}

int cl_landlock_allow(int ruleset, int place, uint64_t rights) {
  struct { uint64_t rights; int32_t place; } __attribute__((packed)) rule = {.rights = rights, .place = place};
  return (int)syscall(LANDLOCK_ADD, ruleset, 1, &rule, 0u);
}

int cl_spawn_confined(pid_t *pid, char *const argv[], char *const envp[], int in, int out, int err, const int *kept,
                      int kept_count, int ruleset, const char *directory, int *stage) {
  int report[2], said[2] = {0, 0};
  *stage = 0;
  if (pipe2(report, O_CLOEXEC) != 0) return errno;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0) {
    // Only what is async-signal-safe from here on.
    int at = 1, failed = 0;
    const int streams[3] = {in, out, err};
    for (int i = 0; i < 3 && !failed; i++) {
      if (streams[i] == i) failed = fcntl(i, F_SETFD, 0) < 0;
      else if (streams[i] >= 0) failed = dup2(streams[i], i) < 0;
    }
    // What a library opened without close-on-exec must not get in: 4 is CLOSE_RANGE_CLOEXEC.
    if (!failed) failed = syscall(SYS_close_range, 3u, ~0u, 4u) != 0;
    for (int i = 0; i < kept_count && !failed; i++) failed = fcntl(kept[i], F_SETFD, 0) < 0;
    if (!failed) { at = 2; failed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0; }
    if (!failed) { at = 3; failed = syscall(LANDLOCK_RESTRICT, ruleset, 0u) != 0; }
    if (!failed && directory) { at = 4; failed = chdir(directory) != 0; }
    if (!failed) {
      struct sigaction standard = {.sa_handler = SIG_DFL};
      for (int number = 1; number < 32; number++) sigaction(number, &standard, NULL);
      sigset_t none;
      sigemptyset(&none);
      sigprocmask(SIG_SETMASK, &none, NULL);
      at = 5;
      execve(argv[0], argv, envp);
    }
    int words[2] = {at, errno};
    ssize_t written = write(report[1], words, sizeof words);
    _exit(written == sizeof words ? 127 : 126);
  }
  int failure = child < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(report[1]);
  if (!failure) {
    ssize_t got;
    do got = read(report[0], said, sizeof said);
    while (got < 0 && errno == EINTR);
    if (got == (ssize_t)sizeof said) {
      *stage = said[0];
      failure = said[1] ? said[1] : EIO;
      waitpid(child, NULL, 0);
    } else {
      *pid = child;
    }
  }
  close(report[0]);
  return failure;
}

int cl_spawn_command(pid_t *pid, char *const argv[], const int *kept, int kept_count, const sigset_t *mask) {
  posix_spawn_file_actions_t actions;
  int result = posix_spawn_file_actions_init(&actions);
  if (result) return result;
  for (int i = 0; !result && i < kept_count; i++)
    result = posix_spawn_file_actions_adddup2(&actions, kept[i], kept[i]);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, mask);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  if (!result) result = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return result;
}

int cl_signal_descriptor(const sigset_t *wanted) { return signalfd(-1, wanted, SFD_CLOEXEC); }

int cl_read_signal(int descriptor, int *number, bool *from_kernel) {
  struct signalfd_siginfo info;
  ssize_t got = read(descriptor, &info, sizeof info);
  if (got != (ssize_t)sizeof info) {
    if (got >= 0) errno = EIO;
    return -1;
  }
  *number = (int)info.ssi_signo;
  *from_kernel = info.ssi_code == SI_KERNEL;
  return 0;
}

// One bit per descriptor. Only atomics and close(2) are used in the child: both are async-signal-safe.
enum { TRACKED = 1 << 16 };
static _Atomic uint64_t tracked[TRACKED / 64];
static _Atomic uint32_t generation;
static pthread_once_t once = PTHREAD_ONCE_INIT;

bool cl_forked_flag;

static void in_child(void) {
  cl_forked_flag = true;
  for (int i = 0; i < TRACKED / 64; i++) {
    uint64_t bits = atomic_exchange(&tracked[i], 0);
    while (bits) {
      int bit = __builtin_ctzll(bits);
      bits &= bits - 1;
      close(i * 64 + bit);
    }
  }
  atomic_fetch_add(&generation, 1);
}
static void install(void) { pthread_atfork(NULL, NULL, in_child); }
// Also where no descriptor is ever registered: locks must know that they are in a child.
__attribute__((constructor)) static void install_first(void) { pthread_once(&once, install); }

void cl_fork_close_register(int fd) {
  pthread_once(&once, install);
  if (fd >= 0 && fd < TRACKED) atomic_fetch_or(&tracked[fd / 64], (uint64_t)1 << (fd % 64));
}
void cl_fork_close_forget(int fd) {
  if (fd >= 0 && fd < TRACKED) atomic_fetch_and(&tracked[fd / 64], ~((uint64_t)1 << (fd % 64)));
}
uint32_t cl_fork_generation(void) { return atomic_load(&generation); }

int cl_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }
int cl_epoll_add(int set, int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data = {.fd = fd}};
  return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event);
}
int cl_epoll_remove(int set, int fd) { return epoll_ctl(set, EPOLL_CTL_DEL, fd, NULL); }
int cl_epoll_wait(int set, int *numbers, int capacity, int milliseconds) {
  struct epoll_event events[64];
  int got = epoll_wait(set, events, capacity < 64 ? capacity : 64, milliseconds);
  for (int i = 0; i < got; i++) numbers[i] = events[i].data.fd;
  return got;
}

int cl_allocate(int fd, long length) { return fallocate(fd, 0, 0, length); }
static void note_status(const struct statx *sx, struct cl_identity *facts) {
  facts->inode = sx->stx_ino;
  facts->device = (uint64_t)sx->stx_dev_major << 32 | sx->stx_dev_minor;
  facts->volume = facts->device;
  facts->mode = sx->stx_mode;
  facts->size = (int64_t)sx->stx_size;
  if (sx->stx_mask & STATX_BTIME) {
    facts->has_birth = true;
    facts->birth_seconds = sx->stx_btime.tv_sec;
    facts->birth_nanoseconds = sx->stx_btime.tv_nsec;
  }
}

int cl_identify_place(const char *path, const struct cl_identity *known, struct cl_identity *facts) {
  struct statx sx;
  memset(facts, 0, sizeof *facts);
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE | STATX_INO | STATX_BTIME, &sx) != 0) return -1;
  note_status(&sx, facts);
  if (facts->device != known->device || !facts->has_birth || S_ISLNK(facts->mode)) return 1;
  facts->volume = known->volume;
  return 0;
}

int cl_identify(int fd, struct cl_identity *facts) {
  struct statx sx;
  struct statfs fs;
  memset(facts, 0, sizeof *facts);
  const unsigned wanted = STATX_TYPE | STATX_INO | STATX_SIZE | STATX_BTIME;
  if (statx(fd, "", AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, wanted, &sx) != 0) return -1;
  note_status(&sx, facts);
  if (fstatfs(fd, &fs) == 0) {
    uint64_t id;
    memcpy(&id, &fs.f_fsid, sizeof id);
    if (id != 0) facts->volume = id;
  }
  struct { struct file_handle head; unsigned char bytes[128]; } handle;
  int mount;
  handle.head.handle_bytes = sizeof handle.bytes;
  if (name_to_handle_at(fd, "", &handle.head, &mount, AT_EMPTY_PATH) == 0) {
    memcpy(facts->handle, &handle.head.handle_type, 4);
    memcpy(facts->handle + 4, handle.head.f_handle, handle.head.handle_bytes);
    facts->handle_length = 4 + handle.head.handle_bytes;
  }
  return 0;
}

int cl_clone(int to, int from) { return ioctl(to, FICLONE, from); }
int cl_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }
int cl_seal(int fd) { return fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE); }
bool cl_is_sealed(int fd) {
  int seals = fcntl(fd, F_GET_SEALS);
  int wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  return seals >= 0 && (seals & wanted) == wanted;
}

// MARK: per thread

enum { CLAIMS = 64 };
static _Thread_local struct { uint32_t depth; uint64_t numbers[CLAIMS]; } claims;

uint32_t cl_claims_depth(void) { return claims.depth < CLAIMS ? claims.depth : CLAIMS; }
uint64_t cl_claims_at(uint32_t index) { return claims.numbers[index]; }
void cl_claims_push(uint64_t number) {
  if (claims.depth < CLAIMS) claims.numbers[claims.depth] = number;
  claims.depth++;
}
void cl_claims_pop(void) {
  if (claims.depth) claims.depth--;
}

uint32_t cl_thread_number(void) {
  static _Thread_local uint32_t number, generation;
  uint32_t now = cl_fork_generation();
  if (!number || generation != now) {
    number = (uint32_t)cl_gettid();
    generation = now;
  }
  return number;
}

// 0 free, 1 taken, 2 taken and somebody sleeps.
bool cl_futex_try_lock(uintptr_t word) {
  uint32_t expected = 0;
  return __atomic_compare_exchange_n((uint32_t *)word, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}
void cl_futex_lock(uintptr_t word) {
  if (cl_futex_try_lock(word)) return;
  while (__atomic_exchange_n((uint32_t *)word, 2, __ATOMIC_ACQUIRE) != 0)
    syscall(SYS_futex, (uint32_t *)word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}
void cl_futex_unlock(uintptr_t word) {
  if (__atomic_exchange_n((uint32_t *)word, 0, __ATOMIC_RELEASE) == 2)
    syscall(SYS_futex, (uint32_t *)word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

int cl_unshare_directory(void) { return unshare(CLONE_FS); }

// A grandchild, so that nobody has to reap it and it outlives who started it. Between _Fork and exec only
// async-signal-safe calls are made, and no handler of pthread_atfork runs.
int cl_spawn_detached(const char *path, char *const argv[], char *const envp[], int log, int kept) {
  int report[2];
  if (pipe2(report, O_CLOEXEC)) return errno;
  pid_t child = _Fork();
  if (child < 0) {
    int code = errno;
    close(report[0]);
    close(report[1]);
    return code;
  }
  if (child == 0) {
    setsid();
    pid_t grandchild = _Fork();
    if (grandchild != 0) {
      int code = grandchild < 0 ? errno : 0;
      if (code) (void)!write(report[1], &code, sizeof code);
      _exit(0);
    }
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDWR);
    int code = 0;
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0 || chdir("/") ||
        (kept >= 0 && fcntl(kept, F_SETFD, 0)))
      code = errno;
    if (!code) {
      execve(path, argv, envp);
      code = errno;
    }
    (void)!write(report[1], &code, sizeof code);
    _exit(127);
  }
  close(report[1]);
  int code = 0;
  ssize_t got;
  do got = read(report[0], &code, sizeof code);
  while (got < 0 && errno == EINTR);
  close(report[0]);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
  return got == (ssize_t)sizeof code ? code : 0;
}
