#include "CBenchmarkFloors.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t cb_thread_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t cb_longest_pause(uint64_t duration) {
  uint64_t start = now(), last = start, longest = 0;
  while (last - start < duration) {
    uint64_t next = now();
    if (next - last > longest) longest = next - last;
    last = next;
  }
  return longest;
}

uint64_t cb_save_file(const char *directory, const char *name, const void *bytes, long length) {
  uint64_t start = now();
  int where = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int file = openat(where, ".new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool good = where >= 0 && file >= 0;
  for (long done = 0; good && done < length;) {
    ssize_t count = write(file, (const char *)bytes + done, (size_t)(length - done));
    if (count < 0) good = false;
    else done += count;
  }
  good = good && fsync(file) == 0;
  close(file);
  good = good && renameat(where, ".new", where, name) == 0 && fsync(where) == 0;
  close(where);
  return good ? now() - start : 0;
}

uint64_t cb_read_file(const char *path, void *space, long length) {
  uint64_t start = now();
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  bool good = file >= 0 && fstat(file, &status) == 0;
  for (long done = 0; good && done < length;) {
    ssize_t count = read(file, (char *)space + done, (size_t)(length - done));
    if (count <= 0) good = false;
    else done += count;
  }
  close(file);
  return good ? now() - start : 0;
}

uint64_t cb_link_tree(const char *from, const char *to) {
  uint64_t start = now();
  if (mkdir(to, 0700) != 0) return 0;
  int source = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int target = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *names = fdopendir(dup(source));
  bool good = names != NULL;
  struct dirent *entry;
  while (good && (entry = readdir(names))) {
    if (entry->d_name[0] == '.') continue;
    good = linkat(source, entry->d_name, target, entry->d_name, 0) == 0;
  }
  if (names) closedir(names);
  close(source);
  close(target);
  return good ? now() - start : 0;
}
