// Single figures: what one lock file, one socket round trip and one sleep cost in C.
#include "CBenchmarkFloors.h"

#include "lock_worker.h"

#include <malloc.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

uint64_t cb_open_lock_pairs(const char *path, bool exclusive, long pairs) {
  uint64_t from = lw_now();
  for (long i = 0; i < pairs; i++) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return 0;
    if (flock(fd, exclusive ? LOCK_EX : LOCK_SH) || flock(fd, LOCK_UN)) return 0;
    close(fd);
  }
  return lw_now() - from;
}

static int named(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) { errno = ENAMETOOLONG; return -1; }
  strcpy(address->sun_path, path);
  return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
}

static void *echo(void *argument) {
  int listener = (int)(intptr_t)argument;
  for (;;) {
    int peer = accept4(listener, 0, 0, SOCK_CLOEXEC);
    if (peer < 0) return 0;
    char packet[256];
    ssize_t length;
    while ((length = read(peer, packet, sizeof packet)) > 0)
      if (send(peer, packet, (size_t)length, MSG_NOSIGNAL) < 0) break;
    close(peer);
  }
}
int cb_echo_start(const char *path) {
  struct sockaddr_un address;
  int listener = named(path, &address);
  pthread_t thread;
  if (listener < 0) return errno;
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 8)) return errno;
  return pthread_create(&thread, 0, echo, (void *)(intptr_t)listener);
}
int cb_echo_connect(const char *path) {
  struct sockaddr_un address;
  int connection = named(path, &address);
  if (connection < 0 || !connect(connection, (struct sockaddr *)&address, sizeof address)) return connection;
  close(connection);
  return -1;
}
uint64_t cb_echo_round_trip(int connection) {
  char packet[64] = {0};
  uint64_t from = lw_now();
  if (send(connection, packet, sizeof packet, MSG_NOSIGNAL) < 0) return 0;
  if (read(connection, packet, sizeof packet) <= 0) return 0;
  return lw_now() - from;
}

uint64_t cb_heap_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
int cb_limit_descriptors(uint64_t limit) {
  struct rlimit now;
  if (getrlimit(RLIMIT_NOFILE, &now)) return errno;
  now.rlim_cur = limit;
  return setrlimit(RLIMIT_NOFILE, &now) ? errno : 0;
}
void cb_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }
void cb_sleep(uint64_t nanoseconds) { lw_sleep(nanoseconds); }
