// GIO's GFileMonitor without a rate limit: gio_peer latency FILE
#include <gio/gio.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static void changed(GFileMonitor *m, GFile *f, GFile *o, GFileMonitorEvent e, gpointer p) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  (void)m, (void)f, (void)o, (void)e, (void)p;
  printf("%llu\n", (unsigned long long)t.tv_sec * 1000000000ull + (unsigned long long)t.tv_nsec);
}

int main(int count, char **words) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (count < 3) return 2;
  GFile *file = g_file_new_for_path(words[2]);
  GFileMonitor *monitor = g_file_monitor_file(file, G_FILE_MONITOR_NONE, NULL, NULL);
  if (!monitor) return 3;
  g_file_monitor_set_rate_limit(monitor, 0);
  g_signal_connect(monitor, "changed", G_CALLBACK(changed), NULL);
  puts("ready");
  g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
