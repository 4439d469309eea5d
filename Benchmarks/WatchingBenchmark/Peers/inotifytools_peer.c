// libinotifytools alone: inotifytools_peer latency FILE | create DIR COUNT | tree DIR
// Prints "ready", then times of CLOCK_MONOTONIC in nanoseconds.
#include <inotifytools/inotify.h>
#include <inotifytools/inotifytools.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(int count, char **words) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (count < 3 || !inotifytools_initialize()) return 2;
  if (!strcmp(words[1], "latency")) {
    char directory[4096];
    snprintf(directory, sizeof directory, "%s", words[2]);
    *strrchr(directory, '/') = 0;
    if (!inotifytools_watch_file(directory, IN_CLOSE_WRITE)) return 3;
    puts("ready");
    for (;;)
      if (inotifytools_next_event(-1)) printf("%llu\n", (unsigned long long)now());
  }
  if (!strcmp(words[1], "create")) {
    long wanted = atol(words[3]), seen = 0;
    if (!inotifytools_watch_file(words[2], IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_DELETE | IN_MOVE)) return 3;
    puts("ready");
    while (seen < wanted) {
      struct inotify_event *event = inotifytools_next_event(-1);
      if (event && event->mask & IN_CREATE) seen++;
      if (event && event->mask & IN_Q_OVERFLOW) return 4;
    }
    printf("%llu %ld\n", (unsigned long long)now(), seen);
  }
  return 0;
}
