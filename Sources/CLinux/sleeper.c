// Sleeping on a futex, and blocking in flock(2) in a way that others can end.
//
// flock has no time limit and no descriptor to poll, so a signal must end it. A signal that comes
// between the last look at `word` and the system call would be lost: therefore it comes from a timer
// of the blocked thread, which repeats until that thread has left, and is stopped by it before it
// does: no other call of the host is ever interrupted. The handler is empty.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CLinux.h"

#include <linux/futex.h>

enum { NOTHING = 0, WOKEN = 1, ASLEEP = 2 };
enum { OUTSIDE = 0, BLOCKED = 1, SETTING = 2, SET = 3 };
enum { NANOSECONDS = 1000000000 };
// How often an interruption is repeated until the thread is out.
static const long again = 1000000;

static uint32_t load(uint32_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static void store(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }
static bool change(uint32_t *word, uint32_t from, uint32_t to) {
  return __atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static struct timespec at(uint64_t nanoseconds) {
  return (struct timespec){
      .tv_sec = (time_t)(nanoseconds / NANOSECONDS), .tv_nsec = (long)(nanoseconds % NANOSECONDS)};
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * NANOSECONDS + (uint64_t)time.tv_nsec;
}

// MARK: the signal

static int signal_number;
static pthread_key_t timer_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void nothing(int number) { (void)number; }

// One more than the timer: the kernel's first one is 0, and destructors are not run for NULL.
static void delete_timer(void *timer) { timer_delete((timer_t)((char *)timer - 1)); }

// The highest real-time signals are left to the host; the first one below that it does not use is ours.
static void choose_signal(void) {
  for (int number = SIGRTMAX - 3; number > SIGRTMIN; number--) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = nothing;  // and no SA_RESTART
    if (pthread_key_create(&timer_key, delete_timer) == 0 && sigaction(number, &action, NULL) == 0)
      signal_number = number;
    return;
  }
}

int cl_interrupting_signal(void) { return __atomic_load_n(&signal_number, __ATOMIC_SEQ_CST); }

// MARK: the timer of a thread

// A forked child has none of its parent's timers.
static _Thread_local struct { uint32_t generation; bool is_made; timer_t timer; } own;

/// Makes sure that the calling thread has a timer, which is deleted when the thread ends; false when
/// none can be had.
static bool has_timer(void) {
  pthread_once(&once, choose_signal);
  if (!signal_number) return false;
  uint32_t generation = cl_fork_generation();
  if (own.is_made && own.generation == generation) return true;
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_number;
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif
  event.sigev_notify_thread_id = cl_gettid();
  if (timer_create(CLOCK_MONOTONIC, &event, &own.timer) != 0) return false;
  own.generation = generation;
  own.is_made = true;
  pthread_setspecific(timer_key, (char *)own.timer + 1);
  return true;
}

static void set_off(timer_t timer) {
  struct itimerspec time = {.it_value = {.tv_nsec = 1}, .it_interval = {.tv_nsec = again}};
  timer_settime(timer, 0, &time, NULL);
}

static void stop(timer_t timer) {
  struct itimerspec time = {0};
  timer_settime(timer, 0, &time, NULL);
}

// MARK: sleeping

void cl_sleep(struct cl_sleeper *sleeper, uint64_t deadline) {
  if (change(&sleeper->word, NOTHING, ASLEEP)) {
    // FUTEX_WAIT_BITSET takes an absolute time on CLOCK_MONOTONIC.
    struct timespec limit = at(deadline);
    syscall(SYS_futex, &sleeper->word, FUTEX_WAIT_BITSET_PRIVATE, ASLEEP,
            deadline == UINT64_MAX ? NULL : &limit, NULL, FUTEX_BITSET_MATCH_ANY);
  }
  store(&sleeper->word, NOTHING);
}

bool cl_take_wake(struct cl_sleeper *sleeper) { return change(&sleeper->word, WOKEN, NOTHING); }

void cl_wake(struct cl_sleeper *sleeper) {
  uint32_t before = __atomic_exchange_n(&sleeper->word, WOKEN, __ATOMIC_SEQ_CST);
  if (before == ASLEEP) syscall(SYS_futex, &sleeper->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  if (before != NOTHING || !change(&sleeper->stage, BLOCKED, SETTING)) return;
  // The thread does not leave before this is done.
  set_off(sleeper->timer);
  store(&sleeper->stage, SET);
}

// MARK: blocking in flock

/// Without a timer: looks again and again.
static int poll_flock(struct cl_sleeper *sleeper, int descriptor, int operation) {
  while (flock(descriptor, operation | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return errno;
    uint64_t soon = now() + again;
    cl_sleep(sleeper, soon);
    if (now() < soon) return EINTR;
  }
  return 0;
}

static int block(struct cl_sleeper *sleeper, int descriptor, int operation) {
  while (load(&sleeper->word) == NOTHING) {
    if (flock(descriptor, operation) == 0) return 0;
    // After another signal of the host, whose handler ran, we go on.
    if (errno != EINTR) return errno;
  }
  return EINTR;
}

int cl_flock(struct cl_sleeper *sleeper, int descriptor, int operation) {
  if (!has_timer()) return poll_flock(sleeper, descriptor, operation);
  // Each time: the host may have blocked it again. It stays so: nobody else sends it.
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, signal_number);
  pthread_sigmask(SIG_UNBLOCK, &ours, NULL);

  sleeper->timer = own.timer;
  store(&sleeper->stage, BLOCKED);
  int result = block(sleeper, descriptor, operation);
  if (!change(&sleeper->stage, BLOCKED, OUTSIDE)) {
    while (load(&sleeper->stage) != SET) sched_yield();
    store(&sleeper->stage, OUTSIDE);
    // What the timer sent before arrives at the end of this call at the latest.
    stop(own.timer);
  }
  if (result == EINTR) store(&sleeper->word, NOTHING);
  return result;
}
