// What the kernel and the C library can do at best: the floors beside which ours is measured.
// Every name starts with `cb_`.
#ifndef C_BENCHMARK_FLOORS_H
#define C_BENCHMARK_FLOORS_H

#include <stdbool.h>
#include <stdint.h>

/// How many lock backends are built in, and their names.
int cb_backend_count(void);
const char *cb_backend_name(int index);
/// A worker process over a built-in backend; arguments as in lock_worker.h. Returns an exit status.
int cb_worker(int argc, char *const *argv);

/// open + flock + unlock + close of `path`, `pairs` times; nanoseconds in all, 0 on failure.
uint64_t cb_open_lock_pairs(const char *path, bool exclusive, long pairs);

/// A listening SOCK_SEQPACKET socket and a thread that sends every packet back. Returns an errno.
int cb_echo_start(const char *path);
/// A blocking connection to it, or -1.
int cb_echo_connect(const char *path);
/// One round trip of 64 bytes; nanoseconds, 0 on failure.
uint64_t cb_echo_round_trip(int connection);

/// Bytes that malloc has handed out and not got back, in all arenas and mapped blocks.
uint64_t cb_heap_in_use(void);
/// The soft limit of open descriptors. Returns an errno.
int cb_limit_descriptors(uint64_t limit);
/// Has the kernel kill this process when its parent dies.
void cb_die_with_parent(void);
/// Sleeps in the kernel, with the default timer slack.
void cb_sleep(uint64_t nanoseconds);

/// Saves a file as a careful C program does: write, fsync, rename, fsync of the directory; nanoseconds,
/// 0 on failure.
uint64_t cb_save_file(const char *directory, const char *name, const void *bytes, long length);
/// Opens and reads a whole file of a known length; nanoseconds, 0 on failure.
uint64_t cb_read_file(const char *path, void *space, long length);
/// Makes a directory with a hard link to every file of another; nanoseconds, 0 on failure.
uint64_t cb_link_tree(const char *from, const char *to);
/* Processor time of the calling thread in nanoseconds. */
uint64_t cb_thread_time(void);
/* The longest time for which a loop that only asks for the time was stopped, within a duration. */
uint64_t cb_longest_pause(uint64_t duration);

#endif
