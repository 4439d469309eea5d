// Qt's QFileSystemWatcher: qt_peer latency FILE
#include <QCoreApplication>
#include <QFileSystemWatcher>
#include <cstdio>
#include <ctime>

int main(int count, char **words) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  if (count < 3) return 2;
  QCoreApplication application(count, words);
  QFileSystemWatcher watcher;
  if (!watcher.addPath(words[2])) return 3;
  QObject::connect(&watcher, &QFileSystemWatcher::fileChanged, [] {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    printf("%llu\n", t.tv_sec * 1000000000ull + t.tv_nsec);
  });
  puts("ready");
  return application.exec();
}
