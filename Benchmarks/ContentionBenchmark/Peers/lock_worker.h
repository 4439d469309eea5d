// One worker process of the contention benchmark, for any lock that C, C++ or Objective-C can take.
//
// A backend says how a lock is opened and how a body runs under it; everything else (the loop, the
// counter that proves exclusion, the clock, the histogram of waits) is here, so that every row is
// measured alike. Usage of the resulting program:
//
//   WORKER BACKEND BOARD uncontended PATH PAIRS
//   WORKER BACKEND BOARD contend LANE THREADS READS_PERCENT FILES PATH_PREFIX
//   WORKER BACKEND BOARD first|second LANE ROUNDS PATH
//
// BOARD is a file of 64-bit words that all workers and the benchmark map; its layout stands below
// and in Harness/Board.swift and python_worker.py.
#ifndef LOCK_WORKER_H
#define LOCK_WORKER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef volatile uint64_t lw_word;

enum {
  LW_START, LW_STOP, LW_HOLD, LW_GAP, LW_TURN, LW_WAITING, LW_RELEASED_AT, LW_DONE,
  LW_HEADER_WORDS = 64, LW_FILE_WORDS = 8, LW_FILE_LIMIT = 64,
  LW_LANES_AT = LW_HEADER_WORDS + LW_FILE_WORDS * LW_FILE_LIMIT,
  // words of a lane; the two maxima and the two histograms are of reads, then of writes
  LW_READY = 0, LW_READS, LW_WRITES, LW_VIOLATIONS, LW_LONGEST_READ, LW_LONGEST_WRITE, LW_HISTOGRAMS = 16,
  LW_BUCKETS = 2304, LW_LANE_WORDS = LW_HISTOGRAMS + 2 * LW_BUCKETS,
  // words of a file
  LW_COUNTER = 0, LW_WRITER_INSIDE
};

typedef void (*lw_body)(void *context);
struct lw_backend {
  const char *name;
  /// A lock handle of its own for one thread and one file.
  void *(*open)(const char *path);
  /// Runs the body under the lock; a lock without a shared mode takes it exclusively for readers.
  void (*access)(void *lock, int writing, lw_body body, void *context);
};

static inline uint64_t lw_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static inline void lw_sleep(uint64_t nanoseconds) {
  if (!nanoseconds) return;
  struct timespec t;
  t.tv_sec = (time_t)(nanoseconds / 1000000000u);
  t.tv_nsec = (long)(nanoseconds % 1000000000u);
  while (nanosleep(&t, &t) && errno == EINTR) {}
}
static inline uint64_t lw_load(lw_word *w) { return __atomic_load_n(w, __ATOMIC_SEQ_CST); }
static inline void lw_store(lw_word *w, uint64_t v) { __atomic_store_n(w, v, __ATOMIC_SEQ_CST); }

__attribute__((noreturn)) static inline void lw_die(const char *what) {
  fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "failed");
  exit(3);
}

/// 64 buckets per power of two: percentiles are right within 1.6 %.
static inline int lw_bucket(uint64_t ns) {
  if (ns < 64) return (int)ns;
  int e = 63 - __builtin_clzll(ns);
  int index = (e - 5) * 64 + (int)((ns >> (e - 6)) & 63);
  return index < LW_BUCKETS ? index : LW_BUCKETS - 1;
}
static inline lw_word *lw_lane(lw_word *board, int lane) {
  return board + LW_LANES_AT + (size_t)lane * LW_LANE_WORDS;
}
static inline void lw_record(lw_word *lane, int writing, uint64_t ns) {
  lane[writing ? LW_WRITES : LW_READS]++;
  lw_word *longest = lane + (writing ? LW_LONGEST_WRITE : LW_LONGEST_READ);
  if (ns > *longest) *longest = ns;
  lane[LW_HISTOGRAMS + (writing ? LW_BUCKETS : 0) + lw_bucket(ns)]++;
}

struct lw_visit {
  lw_word *board, *file, *lane;
  int writing;
  uint64_t entered;
};
/// Inside the lock: a read-modify-write that any overlap breaks, with the hold in its middle.
static inline void lw_inside(void *context) {
  struct lw_visit *v = (struct lw_visit *)context;
  v->entered = lw_now();
  uint64_t before = v->file[LW_COUNTER];
  if (lw_load(v->file + LW_WRITER_INSIDE)) v->lane[LW_VIOLATIONS]++;
  if (v->writing) lw_store(v->file + LW_WRITER_INSIDE, 1);
  lw_sleep(v->board[LW_HOLD]);
  if (v->writing) {
    v->file[LW_COUNTER] = before + 1;
    lw_store(v->file + LW_WRITER_INSIDE, 0);
  } else if (v->file[LW_COUNTER] != before || lw_load(v->file + LW_WRITER_INSIDE)) {
    v->lane[LW_VIOLATIONS]++;
  }
}
static inline void lw_nothing(void *context) { (void)context; }

struct lw_thread {
  const struct lw_backend *backend;
  lw_word *board;
  int lane, reads, files;
  const char *prefix;
};
static inline void *lw_contend(void *argument) {
  struct lw_thread *t = (struct lw_thread *)argument;
  void *locks[LW_FILE_LIMIT];
  for (int i = 0; i < t->files; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s%d", t->prefix, i);
    locks[i] = t->backend->open(path);
    for (int k = 0; k < 4; k++) t->backend->access(locks[i], k & 1, lw_nothing, 0);
  }
  struct lw_visit visit = {t->board, 0, lw_lane(t->board, t->lane), 0, 0};
  uint64_t random = 0x9E3779B97F4A7C15ull * (uint64_t)(t->lane + 1);
  lw_store(visit.lane + LW_READY, 1);
  uint64_t start;
  while (!(start = lw_load(t->board + LW_START))) lw_sleep(500000);
  uint64_t now = lw_now();
  if (now < start) lw_sleep(start - now);
  uint64_t stop = lw_load(t->board + LW_STOP);
  for (;;) {
    uint64_t asked = lw_now();
    if (asked >= stop) break;
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    visit.writing = (int)(random % 100) >= t->reads;
    int file = (int)((random >> 32) % (uint64_t)t->files);
    visit.file = t->board + LW_HEADER_WORDS + file * LW_FILE_WORDS;
    t->backend->access(locks[file], visit.writing, lw_inside, &visit);
    lw_record(visit.lane, visit.writing, visit.entered - asked);
  }
  return 0;
}

/// First holds, second waits; the hand-off is from the moment before first gives up to second inside.
struct lw_hand { lw_word *board, *lane; uint64_t round; };
static inline void lw_first_holds(void *context) {
  struct lw_hand *h = (struct lw_hand *)context;
  lw_store(h->board + LW_RELEASED_AT, 0);
  lw_store(h->board + LW_TURN, h->round);
  while (lw_load(h->board + LW_WAITING) != h->round) lw_sleep(50000);
  lw_sleep(h->board[LW_GAP]);
  lw_store(h->board + LW_RELEASED_AT, lw_now());
}
static inline void lw_second_enters(void *context) {
  struct lw_hand *h = (struct lw_hand *)context;
  uint64_t now = lw_now(), released = lw_load(h->board + LW_RELEASED_AT);
  // Inside while the first one still is: no lock at all.
  if (!released) h->lane[LW_VIOLATIONS]++;
  else lw_record(h->lane, 1, now > released ? now - released : 0);
}
static inline void lw_hand_over(const struct lw_backend *backend, lw_word *board, int first, char **v) {
  struct lw_hand h = {board, lw_lane(board, atoi(v[0])), 0};
  uint64_t rounds = strtoull(v[1], 0, 10);
  void *lock = backend->open(v[2]);
  backend->access(lock, 1, lw_nothing, 0);
  lw_store(h.lane + LW_READY, 1);
  while (!lw_load(board + LW_START)) lw_sleep(500000);
  for (h.round = 1; h.round <= rounds && lw_now() < lw_load(board + LW_STOP); h.round++) {
    if (first) {
      backend->access(lock, 1, lw_first_holds, &h);
      while (lw_load(board + LW_DONE) != h.round) lw_sleep(50000);
    } else {
      while (lw_load(board + LW_TURN) != h.round)
        if (lw_now() > lw_load(board + LW_STOP) + 1000000000u) return;
        else lw_sleep(50000);
      lw_store(board + LW_WAITING, h.round);
      backend->access(lock, 1, lw_second_enters, &h);
      lw_store(board + LW_DONE, h.round);
    }
  }
}

static inline double lw_uncontended(const struct lw_backend *backend, const char *path, long pairs) {
  void *lock = backend->open(path);
  for (long i = 0; i < pairs / 10 + 1; i++) backend->access(lock, 1, lw_nothing, 0);
  uint64_t from = lw_now();
  for (long i = 0; i < pairs; i++) backend->access(lock, 1, lw_nothing, 0);
  return (double)(lw_now() - from) / (double)pairs;
}

static inline int lw_main(const struct lw_backend *backends, int count, int argc, char **argv) {
  const struct lw_backend *backend = 0;
  // A worker never outlives the benchmark.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0; argc > 4 && i < count; i++)
    if (!strcmp(backends[i].name, argv[1])) backend = backends + i;
  if (!backend) return 64;
  int fd = open(argv[2], O_RDWR | O_CLOEXEC);
  struct stat status;
  if (fd < 0 || fstat(fd, &status)) lw_die(argv[2]);
  void *map = mmap(0, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) lw_die("mmap");
  lw_word *board = (lw_word *)map;
  if (!strcmp(argv[3], "uncontended")) {
    printf("%.1f\n", lw_uncontended(backend, argv[4], atol(argv[5])));
  } else if (!strcmp(argv[3], "contend") && argc == 9) {
    int threads = atoi(argv[5]);
    pthread_t running[64];
    struct lw_thread what[64];
    for (int i = 0; i < threads && i < 64; i++) {
      struct lw_thread one = {backend, board, atoi(argv[4]) + i, atoi(argv[6]), atoi(argv[7]), argv[8]};
      what[i] = one;
      if (pthread_create(running + i, 0, lw_contend, what + i)) lw_die("pthread_create");
    }
    for (int i = 0; i < threads && i < 64; i++) pthread_join(running[i], 0);
  } else if (argc == 7) {
    lw_hand_over(backend, board, !strcmp(argv[3], "first"), argv + 4);
  } else {
    return 64;
  }
  return 0;
}
#endif
