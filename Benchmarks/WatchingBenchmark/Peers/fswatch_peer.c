// libfswatch, its shortest latency: fswatch_peer latency FILE
#include <libfswatch/c/libfswatch.h>
#include <stdio.h>
#include <time.h>

static void changed(fsw_cevent const *const events, const unsigned int count, void *data) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  (void)events, (void)count, (void)data;
  printf("%llu\n", (unsigned long long)t.tv_sec * 1000000000ull + (unsigned long long)t.tv_nsec);
}

int main(int count, char **words) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (count < 3 || fsw_init_library()) return 2;
  FSW_HANDLE session = fsw_init_session(inotify_monitor_type);
  fsw_add_path(session, words[2]);
  fsw_set_callback(session, changed, NULL);
  fsw_set_latency(session, 0.1);
  puts("ready");
  return fsw_start_monitor(session);
}
